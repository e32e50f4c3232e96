import EarshotAPI
import EarshotClient
import Foundation
import NIOHTTP1
import Testing

@testable import EarshotServer

@Suite("Codes that are bound to the app that asked for them")
struct PieceProofTests {
    // The example of RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    private static let plainPage = "/authorize?application=sketcher&state=a%26b%20c"
    private static let page = "\(plainPage)&code_challenge=\(challenge)"

    private static let wrong: [String?] = [nil, "", challenge, "E\(verifier.dropFirst())", "\(verifier)A"]

    private func exchange(
        _ service: TestService,
        _ code: String,
        _ verifier: String?,
        _ client: ClientRecord
    ) async throws -> TestService.Reply {
        try await service.ask(
            .POST,
            "/v1/authorizations",
            token: try await service.token(client),
            json: AuthorizationRequest(code: code, codeVerifier: verifier)
        )
    }

    @Test("a challenge admits its verifier alone")
    func example() {
        #expect(ProofKey.challenge(of: Self.verifier) == Self.challenge)
        #expect(ProofKey.admits(Self.verifier, for: Self.challenge))
        for wrong in Self.wrong {
            #expect(!ProofKey.admits(wrong, for: Self.challenge), "\(wrong ?? "none")")
        }
        #expect(ProofKey.admits(nil, for: nil))
        #expect(!ProofKey.admits("", for: nil) && !ProofKey.admits(Self.verifier, for: nil))
    }

    @Test(
        "a verifier has 43 to 128 characters that no address escapes",
        arguments: [
            (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 43), true),
            (String(repeating: "~", count: 128), true), (String(repeating: "a", count: 129), false),
            ("AZaz09-._~" + String(repeating: "x", count: 33), true), (String(repeating: "+", count: 43), false),
            (String(repeating: "é", count: 43), false), (String(repeating: " ", count: 43), false),
        ]
    )
    func verifiers(text: String, isOne: Bool) {
        #expect(ProofKey.admits(text, for: ProofKey.challenge(of: text)) == isOne)
    }

    @Test("a code of a page with a challenge is given for its verifier, and used up by any other")
    func codes() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page + "&code_challenge_method=S256")
            #expect(try await browser.logIn(fields, "Ada", action: "create").status == 303)
            func newCode() async throws -> String {
                try TestBrowser.code(try await browser.logIn(fields, "Ada").location)
            }
            let own = try await newCode()
            #expect(try await exchange(service, own, Self.verifier, client).status == 200)
            #expect(try await exchange(service, own, Self.verifier, client).status == 403)
            let unknown = try await exchange(service, "x", Self.verifier, client).decoded(Failure.self).error
            for wrong in Self.wrong {
                let code = try await newCode()
                let refused = try await exchange(service, code, wrong, client)
                #expect(refused.status == 403, "\(wrong ?? "none")")
                let failure = try refused.decoded(Failure.self).error
                #expect(failure.code == unknown.code && failure.message == unknown.message)
                #expect(try await exchange(service, code, Self.verifier, client).status == 403)
            }
            // Nor is there a way around where devices ask.
            let code = try await newCode()
            let token = try await service.token(client)
            let question = DeviceQuestion(deviceCode: code)
            let asked = try await service.ask(.POST, "/v1/device-authorizations/answer", token: token, json: question)
            #expect(asked.status == 403)
            #expect(try await exchange(service, code, Self.verifier, client).status == 403)
        }
    }

    @Test("a code of a page without a challenge is given for no verifier")
    func older() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.plainPage)
            #expect(!fields.contains { $0.0 == "code_challenge" })
            let made = try await browser.logIn(fields, "Ada", action: "create")
            #expect(try await exchange(service, try TestBrowser.code(made.location), nil, client).status == 200)
            let code = try TestBrowser.code(try await browser.logIn(fields, "Ada").location)
            #expect(try await exchange(service, code, Self.verifier, client).status == 403)
            #expect(try await exchange(service, code, nil, client).status == 403)
        }
    }

    @Test("the form of the page carries the challenge, and goes with no other")
    func forms() async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            #expect(fields.contains { $0 == ("code_challenge", Self.challenge) })
            #expect(try await browser.logIn(fields, "Ada", action: "create").status == 303)
            var without = fields
            without.removeAll { $0.0 == "code_challenge" }
            #expect(without.count == fields.count - 1)
            let other = without + [("code_challenge", ProofKey.challenge(of: "other"))]
            for changed in [without, other] {
                let reply = try await browser.logIn(changed, "Ada")
                #expect(reply.status == 403 && reply.location == nil)
            }
            let plain = try await browser.fields(Self.plainPage)
            let added = try await browser.logIn(plain + [("code_challenge", Self.challenge)], "Ada")
            #expect(added.status == 403 && added.location == nil)
            // It is there too where the page comes again.
            let again = try await browser.logIn(fields, "Ada", "wrong horse")
            #expect(again.status == 403 && again.page.contains(Self.challenge))
        }
    }

    @Test("a challenge that is no digest is refused")
    func faults() async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let short = String(Self.challenge.dropLast())
            for wrong in [
                "", "x", short, "\(Self.challenge)A", "\(Self.challenge)%3D", "\(short)%2B", "\(short)%C3%A9",
                "\(Self.challenge)&code_challenge_method=plain", "\(Self.challenge)&code_challenge_method=",
            ] {
                let reply = try await service.ask(.GET, "\(Self.plainPage)&code_challenge=\(wrong)")
                #expect(reply.status == 400 && reply.code == "requestInvalid", "\(wrong)")
            }
        }
    }

    @Test("the client of an app proves that a code is its own")
    func client() async throws {
        try await TestService.run { (service: TestService) async throws in
            let record = try await service.app()
            let browser = TestBrowser(service: service)
            let base = service.base
            var configuration = PieceClient.Configuration(
                applicationIdentifier: "sketcher",
                apiKey: record.identifier,
                service: try #require(URL(string: base))
            )
            configuration.manifest = NoManifest()
            configuration.login = BrowserLogin { page in
                let fields = try await browser.fields(String(page.absoluteString.dropFirst(base.count)))
                #expect(fields.contains { $0.0 == "code_challenge" })
                return try await browser.logIn(fields, "Ada", action: "create").location
            }
            let account = try await PieceClient(configuration).logIn()
            #expect(account.author == "Ada")
            let token = try await service.token(record, user: account.user)
            #expect(try await service.ask(.GET, "/v1/author", token: token).decoded(AuthorRecord.self).name == "Ada")
        }
    }
}
