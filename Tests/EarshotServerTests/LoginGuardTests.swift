import EarshotAPI
import EarshotCore
import EarshotNodes
import EarshotPieces
import Foundation
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Attempts to log in, and accounts that are made")
struct LoginGuardTests {
    private static let now = Date(timeIntervalSince1970: 0)
    private static let page = "/authorize?application=sketcher&state=1"

    /// Begins some attempts.
    private func begin(
        _ guardian: LoginGuard,
        _ subject: LoginGuard.Subject,
        _ origin: RequestOrigin,
        count: Int = 1
    ) async throws {
        for _ in 0..<count { _ = try await guardian.begin(subject, origin) }
    }

    /// Expects that an attempt is refused.
    private func refuses(
        _ guardian: LoginGuard,
        _ subject: LoginGuard.Subject,
        _ origin: RequestOrigin,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: EarshotError.self, sourceLocation: sourceLocation) {
            try await guardian.begin(subject, origin)
        }
        #expect(error?.code == .tooManyRequests, sourceLocation: sourceLocation)
    }

    @Test("attempts are counted by name and by address")
    func counting() async throws {
        let time = TestTime()
        let guardian = LoginGuard(now: { time.now })
        let one = RequestOrigin("192.0.2.1")
        for number in 0..<30 { try await begin(guardian, .name("name-\(number)"), one) }
        await refuses(guardian, .name("other"), one)
        try await begin(guardian, .name("other"), RequestOrigin("192.0.2.2"))
        for number in 0..<50 { try await begin(guardian, .name("ada"), RequestOrigin("198.51.100.\(number)")) }
        await refuses(guardian, .name("ada"), RequestOrigin("203.0.113.1"))
        // A name that looks as if it was one with an address is another one.
        for name in ["grace/192.0.2.9", "192.0.2.9\ngrace"] {
            try await begin(guardian, .name(name), RequestOrigin("127.0.0.1"), count: 50)
            try await begin(guardian, .name("grace"), RequestOrigin("192.0.2.9"))
        }
        time.advance(900)
        try await begin(guardian, .name("ada"), RequestOrigin("203.0.113.1"))
    }

    @Test("many attempts at once are no way around the limit, and a right one is taken back")
    func reserving() async throws {
        let time = TestTime()
        let guardian = LoginGuard(now: { time.now })
        let origin = RequestOrigin("192.0.2.1")
        try await begin(guardian, .name("ada"), origin, count: 9)
        let right = try await guardian.begin(.name("ada"), origin)
        await refuses(guardian, .name("ada"), origin)
        await guardian.takeBack(right)
        try await begin(guardian, .name("ada"), origin)
    }

    @Test("whoever has a name comes in where he did before, however many guess, and from elsewhere after a while")
    func owner() async throws {
        let time = TestTime()
        let guardian = LoginGuard(now: { time.now })
        let (home, elsewhere) = (RequestOrigin("192.0.2.1"), RequestOrigin("203.0.113.1"))
        await guardian.takeBack(try await guardian.begin(.name("ada"), home))
        for number in 0..<50 { try await begin(guardian, .name("ada"), RequestOrigin("198.51.100.\(number)")) }
        try await begin(guardian, .name("ada"), home)
        time.advance(9)
        await refuses(guardian, .name("ada"), elsewhere)
        time.advance(1)
        try await begin(guardian, .name("ada"), elsewhere)
        // One in ten seconds.
        time.advance(1)
        await refuses(guardian, .name("ada"), elsewhere)
    }

    @Test("right passwords count too: thirty a minute from one address")
    func attempts() async throws {
        let time = TestTime()
        let guardian = LoginGuard(now: { time.now })
        let origin = RequestOrigin("192.0.2.1")
        for _ in 0..<30 { await guardian.takeBack(try await guardian.begin(.name("mallory"), origin)) }
        await refuses(guardian, .name("mallory"), origin)
        try await begin(guardian, .name("ada"), RequestOrigin("192.0.2.2"))
        time.advance(60)
        try await begin(guardian, .name("mallory"), origin)
    }

    @Test("nodes that share a store count together, and where a name was logged in is known to all")
    func nodes() async throws {
        let time = TestTime()
        let store = MemoryAttemptStore(now: { time.now })
        let (one, other) = (LoginGuard(store, now: { time.now }), LoginGuard(store, now: { time.now }))
        let (home, elsewhere) = (RequestOrigin("192.0.2.1"), RequestOrigin("203.0.113.1"))
        try await begin(one, .code, home, count: 5)
        try await begin(other, .code, home, count: 5)
        await refuses(one, .code, home)
        await refuses(other, .code, home)
        await one.takeBack(try await one.begin(.name("ada"), home))
        for number in 0..<50 {
            try await begin(number % 2 == 0 ? one : other, .name("ada"), RequestOrigin("198.51.100.\(number)"))
        }
        await refuses(other, .name("ada"), elsewhere)
        try await begin(other, .name("ada"), home)
    }

    @Test("while the store is away a node counts alone, and takes back what it counted there")
    func away() async throws {
        let time = TestTime()
        let store = SwitchedAttempts(now: { time.now })
        let guardian = LoginGuard(store, now: { time.now })
        let origin = RequestOrigin("192.0.2.1")
        let shared = try await guardian.begin(.code, origin)
        store.isAway = true
        try await begin(guardian, .code, origin, count: 9)
        let last = try await guardian.begin(.code, origin)
        await refuses(guardian, .code, origin)
        await guardian.takeBack(last)
        try await begin(guardian, .code, origin)
        await refuses(guardian, .code, origin)
        // What was counted by the store is not taken back here.
        await guardian.takeBack(shared)
        await refuses(guardian, .code, origin)
        store.isAway = false
        try await begin(guardian, .code, origin, count: 9)
        await refuses(guardian, .code, origin)
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
    func codes() async throws {
        let time = TestTime()
        let guardian = LoginGuard(now: { time.now })
        let (one, other) = (RequestOrigin("192.0.2.1"), RequestOrigin("192.0.2.2"))
        try await begin(guardian, .code, one, count: 10)
        await refuses(guardian, .code, one)
        try await begin(guardian, .code, other)
        for name in ["device", "code", "ada"] { try await begin(guardian, .name(name), one) }
        // However many come from however many addresses.
        for number in 0..<1_000 {
            try await begin(guardian, .code, RequestOrigin("198.51.\(number / 250).\(number % 250)"))
        }
        try await begin(guardian, .code, other)
        // A proxy speaks for everybody.
        let proxy = RequestOrigin("127.0.0.1")
        try await begin(guardian, .code, proxy, count: 200)
        await refuses(guardian, .code, proxy)
        // An account is no code, whatever its name.
        for name in ["device", "code"] {
            for number in 0..<49 { try await begin(guardian, .name(name), RequestOrigin("203.0.113.\(number)")) }
            await refuses(guardian, .name(name), other)
        }
        try await begin(guardian, .code, other)
        try await begin(guardian, .code, RequestOrigin("203.0.113.1"))
        time.advance(900)
        try await begin(guardian, .code, one)
    }

    @Test("a hundred devices begin to log in from one address in a quarter of an hour, and many through a proxy")
    func devices() async throws {
        for (address, most) in [("192.0.2.1", 100), ("127.0.0.1", 10_000), ("2001:db8::1", 100)] {
            let time = TestTime()
            let guardian = LoginGuard(now: { time.now })
            let origin = RequestOrigin(address)
            for _ in 0..<most { try await guardian.addDevice(from: origin) }
            time.advance(899)
            let error = await #expect(throws: EarshotError.self, "\(address)") {
                try await guardian.addDevice(from: origin)
            }
            #expect(error?.code == .tooManyRequests)
            try await guardian.addDevice(from: RequestOrigin("192.0.2.2"))
            time.advance(1)
            try await guardian.addDevice(from: origin)
        }
    }

    @Test("a device that begins to log in is counted")
    func countedDevice() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            for _ in 0..<9_999 {
                try await service.server.logins.addDevice(from: RequestOrigin("127.0.0.1"))
            }
            #expect(try await service.ask(.POST, "/v1/device-authorizations", token: token).status == 200)
            #expect(try await service.ask(.POST, "/v1/device-authorizations", token: token).status == 429)
            service.time.advance(900)
            #expect(try await service.ask(.POST, "/v1/device-authorizations", token: token).status == 200)
        }
    }

    @Test("accounts are made twenty an hour from one address, and a thousand through a proxy")
    func accounts() async throws {
        for (address, most) in [("192.0.2.1", 20), ("127.0.0.1", 1_000), ("2001:db8::1", 20)] {
            let time = TestTime()
            let guardian = LoginGuard(now: { time.now })
            let origin = RequestOrigin(address)
            for _ in 1..<most { _ = try await guardian.addAccount(from: origin) }
            let last = try await guardian.addAccount(from: origin)
            time.advance(3_599)
            let error = await #expect(throws: EarshotError.self, "\(address)") {
                try await guardian.addAccount(from: origin)
            }
            #expect(error?.code == .tooManyRequests && error?.message.contains("try again in an hour") == true)
            // What could not be made is not counted, and neither is what was refused.
            await guardian.takeBack(last)
            _ = try await guardian.addAccount(from: origin)
            await #expect(throws: EarshotError.self) { try await guardian.addAccount(from: origin) }
            // Who has an account logs in, and others make one.
            try await begin(guardian, .name("ada"), origin)
            _ = try await guardian.addAccount(from: RequestOrigin("192.0.2.2"))
            time.advance(1)
            _ = try await guardian.addAccount(from: origin)
        }
        // The machines of one network of IPv6 are one.
        let guardian = LoginGuard(now: { Self.now })
        for number in 1...20 { _ = try await guardian.addAccount(from: RequestOrigin("2001:db8::\(number)")) }
        await #expect(throws: EarshotError.self) { try await guardian.addAccount(from: RequestOrigin("2001:db8::99")) }
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
            for _ in 0..<50 { _ = try await service.server.logins.begin(.name("device"), origin) }
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
            for _ in 0..<199 { _ = try await service.server.logins.begin(.code, origin) }
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
            for _ in 0..<999 { _ = try await service.server.logins.addAccount(from: origin) }
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

/// Attempts in memory that can be away.
private final class SwitchedAttempts: AttemptStore {
    private let store: MemoryAttemptStore
    private let away = Mutex(false)

    init(now: @escaping @Sendable () -> Date) { store = MemoryAttemptStore(now: now) }

    var isAway: Bool {
        get { away.withLock { $0 } }
        set { away.withLock { $0 = newValue } }
    }

    private func check() throws(EarshotError) {
        if isAway { throw EarshotError(.storeUnavailable, "The store is away.") }
    }

    func count(_ limits: [AttemptLimit]) async throws(EarshotError) -> [String]? {
        try check()
        return store.count(limits)
    }

    func takeBack(
        _ keys: [String],
        forgetting forgotten: String?,
        noting mark: AttemptMark?,
        for seconds: Double
    ) async throws(EarshotError) {
        try check()
        store.takeBack(keys, forgetting: forgotten, noting: mark, for: seconds)
    }
}
