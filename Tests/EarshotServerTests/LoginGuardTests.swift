import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Attempts to log in, and accounts that are made")
struct LoginGuardTests {
    private static let now = Date(timeIntervalSince1970: 0)
    private static let page = "/authorize?application=sketcher&state=1"

    @Test("attempts are counted by name and by address")
    func counting() throws {
        let guardian = LoginGuard()
        let now = Self.now
        for number in 0..<30 { try guardian.begin(.name("name-\(number)"), RequestOrigin("192.0.2.1"), at: now) }
        #expect(throws: EarshotError.self) { try guardian.check(.name("other"), RequestOrigin("192.0.2.1"), at: now) }
        try guardian.check(.name("other"), RequestOrigin("192.0.2.2"), at: now)
        for number in 0..<50 { try guardian.begin(.name("ada"), RequestOrigin("198.51.100.\(number)"), at: now) }
        #expect(throws: EarshotError.self) { try guardian.check(.name("ada"), RequestOrigin("203.0.113.1"), at: now) }
        try guardian.check(.name("ada"), RequestOrigin("203.0.113.1"), at: now.addingTimeInterval(900))
        // A name that looks as if it was one with an address is another one.
        for _ in 0..<50 { try guardian.begin(.name("grace/192.0.2.9"), RequestOrigin("127.0.0.1"), at: now) }
        try guardian.check(.name("grace"), RequestOrigin("192.0.2.9"), at: now)
    }

    @Test("many attempts at once are no way around the limit, and a right one is taken back")
    func reserving() throws {
        let guardian = LoginGuard()
        let (now, origin) = (Self.now, RequestOrigin("192.0.2.1"))
        for _ in 0..<10 { try guardian.begin(.name("ada"), origin, at: now) }
        #expect(throws: EarshotError.self) { try guardian.begin(.name("ada"), origin, at: now) }
        // One of the ten was right.
        guardian.succeed(.name("ada"), origin)
        try guardian.begin(.name("ada"), origin, at: now)
    }

    @Test("whoever has a name comes in where he did before, however many guess, and from elsewhere after a while")
    func owner() throws {
        let guardian = LoginGuard()
        let (now, home, elsewhere) = (Self.now, RequestOrigin("192.0.2.1"), RequestOrigin("203.0.113.1"))
        try guardian.begin(.name("ada"), home, at: now)
        guardian.succeed(.name("ada"), home)
        for number in 0..<50 { try guardian.begin(.name("ada"), RequestOrigin("198.51.100.\(number)"), at: now) }
        try guardian.begin(.name("ada"), home, at: now)
        #expect(throws: EarshotError.self) {
            try guardian.begin(.name("ada"), elsewhere, at: now.addingTimeInterval(9))
        }
        try guardian.begin(.name("ada"), elsewhere, at: now.addingTimeInterval(10))
        // One in ten seconds.
        #expect(throws: EarshotError.self) {
            try guardian.begin(.name("ada"), elsewhere, at: now.addingTimeInterval(11))
        }
    }

    @Test("right passwords count too: thirty a minute from one address")
    func attempts() throws {
        let guardian = LoginGuard()
        let (now, origin) = (Self.now, RequestOrigin("192.0.2.1"))
        for _ in 0..<30 {
            try guardian.begin(.name("mallory"), origin, at: now)
            guardian.succeed(.name("mallory"), origin)
        }
        #expect(throws: EarshotError.self) { try guardian.begin(.name("mallory"), origin, at: now) }
        try guardian.begin(.name("ada"), RequestOrigin("192.0.2.2"), at: now)
        try guardian.begin(.name("mallory"), origin, at: now.addingTimeInterval(60))
    }

    @Test("a name that is taken is no wrong password")
    func taken() async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            #expect(try await browser.logIn(fields, "Ada", action: "create").status == 303)
            for _ in 0..<60 { #expect(try await browser.logIn(fields, "Ada", action: "create").status == 403) }
            #expect(try await browser.logIn(fields, "Ada").status == 303)
        }
    }

    @Test("wrong codes of devices are counted by address, and lock nobody else's log-in")
    func codes() throws {
        let guardian = LoginGuard()
        let now = Self.now
        let (one, other) = (RequestOrigin("192.0.2.1"), RequestOrigin("192.0.2.2"))
        for _ in 0..<10 {
            try guardian.begin(.code, one, at: now)
        }
        #expect(throws: EarshotError.self) { try guardian.check(.code, one, at: now) }
        try guardian.check(.code, other, at: now)
        for name in ["device", "code", "ada"] { try guardian.check(.name(name), one, at: now) }
        try guardian.check(.code, one, at: now.addingTimeInterval(900))
        // However many come from however many addresses.
        for number in 0..<1_000 {
            try guardian.begin(.code, RequestOrigin("198.51.\(number / 250).\(number % 250)"), at: now)
        }
        try guardian.check(.code, other, at: now)
        // A proxy speaks for everybody.
        let proxy = RequestOrigin("127.0.0.1")
        for _ in 0..<200 {
            try guardian.begin(.code, proxy, at: now)
        }
        #expect(throws: EarshotError.self) { try guardian.check(.code, proxy, at: now) }
        // An account is no code, whatever its name.
        for name in ["device", "code"] {
            for number in 0..<50 { try guardian.begin(.name(name), RequestOrigin("203.0.113.\(number)"), at: now) }
            #expect(throws: EarshotError.self) { try guardian.check(.name(name), other, at: now) }
        }
        try guardian.check(.code, other, at: now)
        try guardian.check(.code, RequestOrigin("203.0.113.1"), at: now)
    }

    @Test("a hundred devices begin to log in from one address in a quarter of an hour, and many through a proxy")
    func devices() throws {
        let guardian = LoginGuard()
        let now = Self.now
        for (address, most) in [("192.0.2.1", 100), ("127.0.0.1", 10_000), ("2001:db8::1", 100)] {
            let origin = RequestOrigin(address)
            for _ in 0..<most { try guardian.addDevice(from: origin, at: now) }
            let error = #expect(throws: EarshotError.self, "\(address)") {
                try guardian.addDevice(from: origin, at: now.addingTimeInterval(899))
            }
            #expect(error?.code == .tooManyRequests)
            try guardian.addDevice(from: origin, at: now.addingTimeInterval(900))
        }
        try guardian.addDevice(from: RequestOrigin("192.0.2.2"), at: now)
    }

    @Test("a device that begins to log in is counted")
    func countedDevice() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            for _ in 0..<9_999 {
                try service.server.logins.addDevice(from: RequestOrigin("127.0.0.1"), at: service.time.now)
            }
            #expect(try await service.ask(.POST, "/v1/device-authorizations", token: token).status == 200)
            #expect(try await service.ask(.POST, "/v1/device-authorizations", token: token).status == 429)
            service.time.advance(900)
            #expect(try await service.ask(.POST, "/v1/device-authorizations", token: token).status == 200)
        }
    }

    @Test("accounts are made twenty an hour from one address, and a thousand through a proxy")
    func accounts() throws {
        let guardian = LoginGuard()
        let now = Self.now
        for (address, most) in [("192.0.2.1", 20), ("127.0.0.1", 1_000), ("2001:db8::1", 20)] {
            let origin = RequestOrigin(address)
            for _ in 0..<most { try guardian.addAccount(from: origin, at: now) }
            let error = #expect(throws: EarshotError.self, "\(address)") {
                try guardian.addAccount(from: origin, at: now.addingTimeInterval(3_599))
            }
            #expect(error?.code == .tooManyRequests && error?.message.contains("try again in an hour") == true)
            // What could not be made is not counted, and neither is what was refused.
            guardian.removeAccount(from: origin)
            try guardian.addAccount(from: origin, at: now)
            #expect(throws: EarshotError.self) { try guardian.addAccount(from: origin, at: now) }
            // Who has an account logs in.
            try guardian.check(.name("ada"), origin, at: now)
            try guardian.addAccount(from: origin, at: now.addingTimeInterval(3_600))
        }
        // The machines of one network of IPv6 are one.
        let later = now.addingTimeInterval(3_600)
        for _ in 0..<19 { try guardian.addAccount(from: RequestOrigin("2001:db8::2"), at: later) }
        #expect(throws: EarshotError.self) { try guardian.addAccount(from: RequestOrigin("2001:db8::3"), at: later) }
        try guardian.addAccount(from: RequestOrigin("192.0.2.2"), at: now)
        guardian.removeAccount(from: RequestOrigin("192.0.2.3"))
    }

    @Test("an account whose name is device does not lock devices out")
    func device() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let token = try await service.token(client)
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            for name in ["device", "Ada"] {
                #expect(try await browser.logIn(fields, name, action: "create").status == 303)
            }
            let origin = RequestOrigin("127.0.0.1")
            for _ in 0..<50 { try service.server.logins.begin(.name("device"), origin, at: service.time.now) }
            #expect(try await browser.logIn(fields, "device").status == 429)
            let device = try await service.ask(.POST, "/v1/device-authorizations", token: token)
                .decoded(DeviceAuthorization.self)
            #expect(try await browser.answer(device.userCode, "login", "Ada").status == 200)
        }
    }

    @Test("too many wrong codes are refused for a quarter of an hour, and people still log in")
    func guessing() async throws {
        try await TestService.run { (service: TestService) async throws in
            _ = try await service.app()
            let browser = TestBrowser(service: service)
            let fields = try await browser.fields(Self.page)
            #expect(try await browser.logIn(fields, "Ada", action: "create").status == 303)
            let origin = RequestOrigin("127.0.0.1")
            for _ in 0..<199 { try service.server.logins.begin(.code, origin, at: service.time.now) }
            #expect(try await browser.enter("BBBB-BBBB").status == 403)
            #expect(try await browser.enter("BBBB-BBBC").status == 429)
            #expect(try await browser.logIn(fields, "Ada").status == 303)
            service.time.advance(900)
            #expect(try await browser.enter("BBBB-BBBC").status == 403)
        }
    }

    @Test("too many accounts are refused for an hour, and people still log in")
    func making() async throws {
        try await TestService.run { (service: TestService) async throws in
            let client = try await service.app()
            let browser = TestBrowser(service: service)
            var fields = try await browser.fields(Self.page)
            let origin = RequestOrigin("127.0.0.1")
            for _ in 0..<999 { try service.server.logins.addAccount(from: origin, at: service.time.now) }
            // What is not made is not counted.
            #expect(try await browser.logIn(fields, "Ada", "short", action: "create").status == 403)
            #expect(try await browser.logIn(fields, "Ada", action: "create").status == 303)
            #expect(try await browser.logIn(fields, "ADA", action: "create").status == 403)
            let refused = try await browser.logIn(fields, "Grace", action: "create")
            #expect(refused.status == 429 && refused.page.contains("try again in an hour"))
            let device = try await service.ask(
                .POST,
                "/v1/device-authorizations",
                token: try await service.token(client)
            ).decoded(DeviceAuthorization.self)
            #expect(try await browser.answer(device.userCode, "create", "Grace").status == 429)
            #expect(try await service.server.pieces.store.author(named: "grace") == nil)
            #expect(try await browser.logIn(fields, "Ada").status == 303)
            service.time.advance(3_600)
            fields = try await browser.fields(Self.page)
            #expect(try await browser.logIn(fields, "Grace", action: "create").status == 303)
        }
    }
}
