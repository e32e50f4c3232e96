import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Users of pieces")
struct PieceAccountTests {
    private static let account = PieceAccount(user: "secret-7", author: "Ada")
    private static let place = PieceTokenKey(service: "http://music.example", application: "sketcher")

    @Test("A user is kept in a file for its owner alone", .requirements("R-PC-105"))
    func files() async throws {
        try await withTemporaryFolder { folder in
            let store = FileTokenStore(folder.appendingPathComponent("data/earshot/pieces"))
            #expect(try await store.account(for: Self.place) == nil)
            try await store.keep(Self.account, for: Self.place)
            func mode(_ path: String) throws -> Int {
                let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                return (value as? NSNumber)?.intValue ?? 0
            }
            #expect(try mode(store.folder.path) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
            let file = store.folder.appendingPathComponent(try #require(names.first)).path
            #expect(names.count == 1)
            #expect(try mode(file) == 0o600)
            #expect(try await store.account(for: Self.place) == Self.account)
            // Whoever loosened the rights of the file: they are put right.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            #expect(try await store.account(for: Self.place) == Self.account)
            #expect(try mode(file) == 0o600)
            // Another service and another app have users of their own.
            let others = [
                PieceTokenKey(service: "http://other.example", application: "sketcher"),
                PieceTokenKey(service: "http://music.example", application: "../singer"),
            ]
            for other in others {
                #expect(try await store.account(for: other) == nil)
                try await store.keep(PieceAccount(user: "u", author: "Bob"), for: other)
            }
            #expect(try await store.account(for: Self.place) == Self.account)
            #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).count == 3)
            try await store.keep(nil, for: Self.place)
            try await store.keep(nil, for: Self.place)
            #expect(try await store.account(for: Self.place) == nil)
        }
    }

    @Test("A file of a user that is damaged is told")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let store = FileTokenStore(folder)
            try await store.keep(Self.account, for: Self.place)
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            try Data("{".utf8).write(to: folder.appendingPathComponent(name))
            let error = await #expect(throws: EarshotError.self) { try await store.account(for: Self.place) }
            #expect(error?.code == .storeUnavailable)
            let file = folder.appendingPathComponent(name)
            let below = FileTokenStore(file.appendingPathComponent("below"))
            let failure = await #expect(throws: EarshotError.self) {
                try await below.keep(Self.account, for: Self.place)
            }
            #expect(failure?.code == .writeFailed)
        }
    }

    @Test("The usual folder follows the environment, and the secret is in no description")
    func usual() {
        let own = FileTokenStore.usualFolder(environment: ["XDG_DATA_HOME": "/data", "HOME": "/home/ada"])
        let home = FileTokenStore.usualFolder(environment: ["XDG_DATA_HOME": "data", "HOME": "/home/ada"])
        #if canImport(Darwin)
            #expect(own.path == "/home/ada/Library/Application Support/earshot/pieces")
            #expect(home == own)
        #else
            #expect(own.path == "/data/earshot/pieces")
            #expect(home.path == "/home/ada/.local/share/earshot/pieces")
        #endif
        #expect(!"\(Self.account)".contains("secret"))
        #expect(!String(reflecting: Mirror(reflecting: Self.account)).contains("secret"))
        var text = ""
        dump(Self.account, to: &text)
        #expect(!text.contains("secret"))
    }

    /// The parameters of a page for a log-in.
    private static func state(_ page: URL) -> String { parameter("state", page) }

    private static func parameter(_ name: String, _ page: URL) -> String {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return items.first { $0.name == name }?.value ?? ""
    }

    @Test(
        "A drop without a user begins with the log-in, by each way there is",
        .requirements("R-PC-071"),
        arguments: DropEntry.allCases,
        ["browser", "session", "device", "stored"]
    )
    func logsIn(entry: DropEntry, way: String) async throws {
        try await PieceServiceDouble.with { service in
            let (pages, page) = AsyncStream<URL>.makeStream()
            let clock = ManualClock()
            let client = try await PieceSamples.client(service, account: nil) { configuration in
                switch way {
                case "browser":
                    configuration.login = BrowserLogin {
                        page.yield($0)
                        return nil
                    }
                case "session":
                    configuration.login = BrowserLogin {
                        URL(string: "piece-sketcher://authorize?code=code-1&state=\(Self.state($0))")
                    }
                case "device":
                    configuration.options.clock = clock.clock
                    configuration.options.requestLimit = .indefinite
                    configuration.providerLimit = .indefinite
                    configuration.login = DeviceCodeLogin { device in
                        #expect(device.userCode == "ABCD-EFGH")
                        page.yield(device.address)
                    }
                default: configuration.login = StoredLogin(PieceAccount(user: "user-1", author: "Ada"))
                }
            }
            let providers = TestProviders()
            let flow = entry.begin(client, try PieceSamples.draft(), providers)
            var shown = pages.makeAsyncIterator()
            switch way {
            case "browser":
                let first = try #require(await shown.next())
                #expect(first.absoluteString.hasPrefix("\(service.url)/authorize?application=sketcher&state="))
                #expect(providers.drafts.isEmpty)
                // Neither another log-in's address nor one without a code is taken for it.
                let other = try #require(URL(string: "piece-sketcher://authorize?code=code-1&state=0"))
                #expect(!client.handle(other))
                let own = try #require(
                    URL(string: "piece-sketcher://authorize?code=code-1&state=\(Self.state(first))")
                )
                #expect(client.handle(own))
                #expect(!client.handle(own))
            case "device":
                _ = await shown.next()
                for round in 0..<3 {
                    while clock.sleeperCount == 0 { await Task.yield() }
                    if round == 2 { service.state.withLock { $0.isDeviceApproved = true } }
                    clock.advance(by: 5)
                    while service.exchanges(.deviceAnswer).count <= round { await Task.yield() }
                }
            default: break
            }
            #expect(try await flow.piece.author == "Ada")
            let phases = await flow.all().map(\.phase)
            #expect(phases.prefix(3) == [.validating, .waitingForLogin, .rendering])
            #expect(phases.last == .done)
            // The next one does not begin with it.
            #expect(try await client.account()?.author == "Ada")
            let next = entry.begin(client, try PieceSamples.draft(), providers)
            _ = try await next.piece
            #expect(await next.all().contains { $0.phase == .waitingForLogin } == false)
        }
    }

    @Test("A code is shown with the secret whose digest the page was told, another one each time")
    func proof() async throws {
        // The example of RFC 7636, appendix B.
        let example = LoginProof(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(example.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service, account: nil) { configuration in
                configuration.login = BrowserLogin { page in
                    service.state.withLock { $0.pages.append(page) }
                    return URL(string: "piece-sketcher://authorize?code=code-1&state=\(Self.state(page))")
                }
            }
            for _ in 0..<3 {
                service.state.withLock { $0.codes["code-1"] = "user-1" }
                try await client.logIn()
            }
            let (pages, verifiers) = service.state.withLock { ($0.pages, $0.verifiers) }
            #expect(Set(verifiers).count == 3)
            #expect(verifiers.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil })
            #expect(
                pages.map { Self.parameter("code_challenge", $0) }
                    == verifiers.map { LoginProof(verifier: $0).challenge }
            )
            #expect(pages.allSatisfy { Self.parameter("code_challenge_method", $0) == "S256" })
            #expect(zip(pages, verifiers).allSatisfy { !$0.absoluteString.contains($1) })
        }
    }

    @Test("A user that the service has forgotten logs in again", .requirements("R-PC-071"))
    func forgotten() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service, account: Self.account) { configuration in
                configuration.login = StoredLogin(PieceAccount(user: "user-1", author: "Ada"))
            }
            // What everybody may see needs no user.
            let piece = service.publish(try PieceSamples.draft(), parts: [])
            #expect(try await client.fetch(piece.id) == piece)
            _ = try await client.drop(try PieceSamples.draft(), TestProviders())
            #expect(try await client.account()?.user == "user-1")
        }
    }

    @Test("A log-in that goes wrong ends the drop with its reason", .requirements("R-PC-071", "R-PC-072"))
    func refused() async throws {
        struct Refusal: Error, CustomStringConvertible { let description = "The browser is broken." }
        try await PieceServiceDouble.with { service in
            func drop(_ login: (any LoginPresenter)?) async throws -> (DropFlow, TestProviders) {
                let client = try await PieceSamples.client(service, account: nil) { $0.login = login }
                let providers = TestProviders()
                return (client.dropFlow(try PieceSamples.draft(), providers), providers)
            }
            let (none, _) = try await drop(nil)
            #expect(await none.failure()?.code == .accessDenied)
            let (broken, providers) = try await drop(BrowserLogin { _ in throw Refusal() })
            let error = await broken.failure()
            #expect(error?.code == .accessDenied && error?.message.contains("The browser is broken.") == true)
            #expect(broken.phase == .failed && providers.closings == [false])
            // Its user closes the browser.
            let (closed, told) = try await drop(BrowserLogin { _ in throw CancellationError() })
            #expect(await closed.failure()?.code == .cancelled)
            #expect(closed.phase == .cancelled && told.closings == [false])
            let (foreign, _) = try await drop(
                BrowserLogin { _ in URL(string: "piece-sketcher://authorize?code=code-1&state=0") }
            )
            #expect(await foreign.failure()?.code == .accessDenied)
            let (spent, _) = try await drop(
                BrowserLogin { URL(string: "piece-sketcher://authorize?code=old&state=\(Self.state($0))") }
            )
            #expect(await spent.failure()?.code == .accessDenied)
            #expect(service.entryCount == 0 && service.exchanges(.create).isEmpty)
        }
    }

    @Test("A code that nobody types in ends")
    func deviceEnds() async throws {
        try await PieceServiceDouble.with { service in
            let clock = ManualClock()
            let client = try await PieceSamples.client(service, account: nil) { configuration in
                configuration.options.clock = clock.clock
                configuration.options.requestLimit = .indefinite
                configuration.login = DeviceCodeLogin { _ in }
            }
            let task = Task { try await client.logIn() }
            for _ in 0..<120 {
                while clock.sleeperCount == 0 { await Task.yield() }
                clock.advance(by: 5)
            }
            let error = await #expect(throws: EarshotError.self) { try await task.value }
            #expect(error?.code == .timedOut)
        }
    }
}
