import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Logging in for devices")
struct DeviceLoginTests {
    private func begin(_ service: TestService, _ token: String) async throws -> DeviceAuthorization {
        try await service.ask(.POST, "/v1/device-authorizations", token: token).decoded(DeviceAuthorization.self)
    }

    private func poll(_ service: TestService, _ code: String, _ token: String) async throws -> TestService.Reply {
        try await service.ask(
            .POST,
            "/v1/device-authorizations/answer",
            token: token,
            json: DeviceQuestion(deviceCode: code)
        )
    }

    @Test("a device shows a code, and goes on when somebody has typed it in and said yes")
    func device() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.client()
            let token = try await service.token(client)
            let device = try await begin(service, token)
            #expect(device.userCode.wholeMatch(of: /[A-Z]{4}-[A-Z]{4}/) != nil)
            #expect(device.address.absoluteString == "\(service.base)/device" && device.expiresIn == 900)
            let pending = try await poll(service, device.deviceCode, token)
            #expect(pending.status == 202 && pending.bytes.isEmpty)
            #expect(try await poll(service, "x", token).status == 403)
            #expect(try await poll(service, device.deviceCode, try await service.token()).status == 403)
            let browser = TestBrowser(service: service)
            #expect(try await browser.enter("BBBB-BBBB").status == 403)
            let typed = device.userCode.lowercased().replacing("-", with: " ")
            // A wrong password asks once more, and the code is still good.
            #expect(try await browser.answer(typed, "create", "Ada", "short").status == 403)
            #expect(try await browser.answer(typed, "create", "Ada").status == 200)
            let user = try await poll(service, device.deviceCode, token).decoded(AuthorizationAnswer.self)
            #expect(user.author == "Ada")
            #expect(try await poll(service, device.deviceCode, token).status == 403)
            _ = try await service.token(client, user: user.user)
            #expect(try await browser.enter(device.userCode).status == 403)

            let late = try await begin(service, token)
            let asked = try await browser.enter(late.userCode)
            #expect(asked.status == 200)
            service.time.advance(901)
            #expect(try await poll(service, late.deviceCode, token).status == 403)
            #expect(try await browser.enter(late.userCode).status == 403)
            let entered = [("name", "Ada"), ("password", "correct horse"), ("action", "login")]
            #expect(try await browser.send("/device", TestBrowser.fields(of: asked.page) + entered).status == 403)
        }
    }

    @Test("the page names the app that asks before it asks for a password", arguments: [true, false])
    func question(isRegistered: Bool) async throws {
        try await TestService.run { (service: TestService) async throws in
            var change = ClientChange()
            change.name = "A <client>"
            let client = isRegistered ? try await service.app() : try await service.client(change)
            let device = try await begin(service, try await service.token(client))
            let browser = TestBrowser(service: service)
            let first = String(decoding: try await service.ask(.GET, "/device").bytes, as: UTF8.self)
            #expect(first.contains("name=\"code\"") && !first.contains("type=\"password\""))
            service.time.advance(190)
            let asked = try await browser.enter(device.userCode)
            #expect(asked.status == 200 && asked.page.contains("type=\"password\""))
            let name = isRegistered ? "The &lt;App&gt;" : "A &lt;client&gt;"
            for part in ["<strong>\(name)</strong>", device.userCode, "3 minutes ago", "value=\"refuse\""] {
                #expect(asked.page.contains(part), "\(part)")
            }
            // The page that refuses a password names it too.
            let again = try await browser.answer(device.userCode, "login", "Ada", "wrong horse")
            #expect(again.status == 403 && again.page.contains(name) && again.page.contains("do not match"))
        }
    }

    @Test("a no refuses the code at once")
    func refusing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let device = try await begin(service, token)
            let browser = TestBrowser(service: service)
            let asked = try await browser.enter(device.userCode)
            // Nobody has to say a name or a password for that.
            let refused = try await browser.answer(device.userCode, "refuse", "", "")
            #expect(refused.status == 200 && refused.page.contains("Sign-in refused"))
            let answer = try await poll(service, device.deviceCode, token)
            #expect(answer.status == 403 && answer.code == "accessDenied")
            #expect(try answer.decoded(Failure.self).error.message.contains("refused the login"))
            #expect(try await browser.enter(device.userCode).status == 403)
            // A page that is still open does not log in any more.
            let entered = [("name", "Ada"), ("password", "correct horse"), ("action", "create")]
            #expect(try await browser.send("/device", TestBrowser.fields(of: asked.page) + entered).status == 403)
            #expect(try await service.server.pieces.store.author(named: "ada") == nil)
        }
    }

    @Test("nobody says yes or no without the page that names the app", arguments: ["login", "create", "refuse"])
    func skipping(action: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let token = try await service.token()
            let (device, other) = (try await begin(service, token), try await begin(service, token))
            let browser = TestBrowser(service: service)
            let entered = [("name", "Ada"), ("password", "correct horse"), ("action", action)]
            // The seal of the first page, and that of the page of another code.
            let first = try await browser.fields("/device") + [("code", device.userCode)]
            let asked = TestBrowser.fields(of: try await browser.enter(other.userCode).page)
            let moved = asked.map { ($0.0, $0.0 == "code" ? device.userCode : $0.1) }
            for fields in [first, moved] {
                let reply = try await browser.send("/device", fields + entered)
                #expect(reply.status == 403 && !reply.page.contains("<strong>"))
            }
            #expect(try await poll(service, device.deviceCode, token).status == 202)
            #expect(try await service.server.pieces.store.author(named: "ada") == nil)
        }
    }

    @Test("faults of what was entered are told in the language of the page", arguments: ["en", "de", "ja"])
    func faults(language: String) throws {
        let words = PageWords(texts: try PageTexts(PageAssets()).texts(language))
        let name = #expect(throws: EarshotError.self) { try AuthorName("x") }
        let faults = [
            LoginService.wrongPassword, LoginService.nameTaken, LoginService.formExpired, LoginService.noCode,
            LoginGuard.tooMany, LoginGuard.tooManyAccounts, PasswordDigest.lengthRefused, SignInController.wrongToken,
            try #require(name),
        ]
        let texts = faults.map { LoginFaults.text($0, "x", words) }
        #expect(Set(texts).count == faults.count)
        for (fault, text) in zip(faults, texts) { #expect(text != fault.message && !text.hasPrefix("login.")) }
        // What no page expects is told as it is.
        #expect(LoginFaults.text(EarshotError(.accessDenied, "Other."), "Ada", words) == "Other.")
    }

    @Test(
        "the time since a device asked is told in words",
        arguments: [
            (-5.0, "just now"), (0, "just now"), (59, "just now"), (60, "a minute ago"), (899, "14 minutes ago"),
        ]
    )
    func ages(seconds: Double, words: String) throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let english = PageWords(texts: try PageTexts(PageAssets()).texts("en"))
        #expect(LoginController.age(from: now, to: now.addingTimeInterval(seconds), english) == words)
    }
}
