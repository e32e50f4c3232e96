import Crypto
import EarshotBroadcast
import EarshotCore
@testable import EarshotMusic
import Foundation
import Synchronization
import Testing

@testable import EarshotClient

@Suite("Webhooks over HTTP")
struct WebhookSenderTests {
    private static let secret = Data("a secret of thirty-two characters".utf8)
    private static let start = Date(timeIntervalSince1970: 1_777_660_200)

    private static func play(_ number: Int, state: PlayState = .final) -> PlayRecord {
        let start = start.addingTimeInterval(Double(number) * 300)
        return PlayRecord(
            channel: PlayChannel(id: "one"),
            start: start,
            end: start.addingTimeInterval(200),
            referenceID: ReferenceID("song-\(number)"),
            title: "Song \(number)",
            kind: .song,
            state: state
        )
    }

    private static func settings() -> WebhookSettings {
        var settings = WebhookSettings(consumer: "shop")
        (settings.firstDelay, settings.longestDelay) = (0.001, 0.002)
        return settings
    }

    private static func sender(
        _ server: StubServer,
        _ store: any PlaylogStore,
        secrets: [Data] = [secret]
    ) throws -> WebhookSender {
        var options = WebhookSender.Options()
        options.pollInterval = 0.01
        return try WebhookSender(
            to: server.url.appendingPathComponent("plays"),
            secrets: secrets,
            settings: settings(),
            store: store,
            options: options
        )
    }

    /// Runs a sender until a condition holds.
    private static func running(
        _ sender: WebhookSender,
        _ report: @escaping @Sendable (WebhookSender.Report) -> Void = { _ in },
        until isDone: @Sendable () async throws -> Bool
    ) async throws {
        let task = Task { await sender.run(report) }
        defer { task.cancel() }
        while try await !isDone() { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await task.value
    }

    /// The numbers of the changes of a request.
    private static func sequences(_ request: StubServer.Request) throws -> [Int] {
        struct Body: Decodable {
            struct Event: Decodable { let sequence: Int }
            let events: [Event]
        }
        return try JSONDecoder().decode(Body.self, from: request.body).events.map(\.sequence)
    }

    private static func isGenuine(_ request: StubServer.Request, _ secret: Data) throws -> Bool {
        let field = try #require(request.headers[WebhookSignature.field.lowercased()])
        let signature = try #require(WebhookSignature(field))
        let content = WebhookSignature.signedContent(timestamp: signature.timestamp, body: request.body)
        let digest = Data(HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: secret)))
        return signature.isValid(digest: digest, at: Date())
    }

    @Test("Each change arrives signed, and a sender that is started again sends what changed meanwhile, and only that")
    func delivery() async throws {
        try await StubServer.with({ _ in StubServer.Response(status: 204, headers: []) }) { server in
            let store = MemoryPlaylogStore()
            try await store.put(Self.play(0))
            // What was there before a consumer is known is not sent.
            let sender = try Self.sender(server, store)
            try await Self.running(sender) { try await store.position(of: "shop") == 1 }
            try await store.put(Self.play(1))
            try await Self.running(sender) { try await store.position(of: "shop") == 2 }
            // Nobody runs while this changes.
            try await store.put([Self.play(2), Self.play(3)])
            try await Self.running(sender) { try await store.position(of: "shop") == 4 }
            let requests = server.requests
            #expect(requests.allSatisfy { $0.method == "POST" && $0.path == "/plays" })
            #expect(try requests.flatMap(Self.sequences) == [2, 3, 4])
            #expect(try requests.allSatisfy { try Self.isGenuine($0, Self.secret) })
            #expect(try !Self.isGenuine(requests[0], Data("another secret of many letters".utf8)))
        }
    }

    @Test("An answer whose content never comes to its end holds nothing up")
    func stalledAnswer() async throws {
        let answer = StubServer.Response(headers: [], body: Data(repeating: 1, count: 100), cutLength: 10, stalls: true)
        try await StubServer.with({ _ in answer }) { server in
            let store = MemoryPlaylogStore()
            var options = WebhookSender.Options()
            (options.pollInterval, options.timeLimit) = (0.01, 0.1)
            let sender = try WebhookSender(
                to: server.url.appendingPathComponent("plays"),
                secrets: [Self.secret],
                settings: Self.settings(),
                store: store,
                options: options
            )
            try await Self.running(sender) { try await store.position(of: "shop") == 0 }
            try await store.put([Self.play(0)])
            try await Self.running(sender) { try await store.position(of: "shop") == 1 }
            try await store.put([Self.play(1)])
            try await Self.running(sender) { try await store.position(of: "shop") == 2 }
            // On a busy machine the head of an answer takes longer than the limit now and then: its change is sent again.
            let sequences = try server.requests.flatMap(Self.sequences)
            #expect(Set(sequences) == [1, 2] && sequences == sequences.sorted())
        }
    }

    @Test("A name that no store takes is refused at once", arguments: ["", String(repeating: "x", count: 513)])
    func name(_ name: String) throws {
        let url = try #require(URL(string: "https://shop.example/plays"))
        #expect(throws: EarshotError.self) {
            try WebhookSender(
                to: url,
                secrets: [Self.secret],
                settings: WebhookSettings(consumer: name),
                store: MemoryPlaylogStore()
            )
        }
    }

    @Test("What fails is sent again with the same bytes until it arrives, and the operator is told")
    func failures() async throws {
        let count = Mutex(0)
        try await StubServer.with(
            { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // An error, no answer, a redirection, and errors until failures are told again.
                if number == 2 { return StubServer.Response(isCut: true) }
                if number == 3 {
                    return StubServer.Response(status: 307, headers: [("location", "/elsewhere")])
                }
                return StubServer.Response(status: number <= 11 ? 500 : 200)
            }
        ) { server in
            let store = MemoryPlaylogStore()
            try await store.setPosition(0, of: "shop")
            try await store.put(Self.play(1))
            let told = Mutex<[String]>([])
            try await Self.running(
                try Self.sender(server, store),
                { report in
                    let word: String? =
                        switch report {
                        case .failing(let failures, _, _): "failing \(failures)"
                        case .recovered: "recovered"
                        case .delivered(let count): "delivered \(count)"
                        default: nil
                        }
                    told.withLock { $0 += [word].compactMap(\.self) }
                }
            ) { try await store.position(of: "shop") == 1 }
            let requests = server.requests
            #expect(requests.count == 12)
            #expect(Set(requests.map(\.body)).count == 1)
            #expect(requests.allSatisfy { $0.path == "/plays" })
            #expect(told.withLock { $0 } == ["failing 1", "failing 10", "recovered", "delivered 1"])
        }
    }

    @Test("A receiver that is gone for good, 410, is sent nothing more")
    func gone() async throws {
        try await StubServer.with({ _ in StubServer.Response(status: 410) }) { server in
            let store = MemoryPlaylogStore()
            try await store.setPosition(0, of: "shop")
            try await store.put([Self.play(1), Self.play(2)])
            // It ends by itself.
            await (try Self.sender(server, store)).run()
            #expect(server.requests.count == 1)
            #expect(try await store.position(of: "shop") == 0)
        }
    }

    @Test("A wish to send again ends a pause, and the silence behind 410; each attempt is told with its answer")
    func retry() async throws {
        let answers = Mutex([500, 410, 204])
        try await StubServer.with({ _ in
            StubServer.Response(status: answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }, headers: [])
        }) { server in
            let store = MemoryPlaylogStore()
            try await store.setPosition(0, of: "shop")
            try await store.put(Self.play(1))
            let attempts = Mutex<[Int?]>([])
            let wish = Mutex(false)
            var settings = Self.settings()
            // Without a wish it would not be sent again while the test runs.
            (settings.firstDelay, settings.longestDelay) = (600, 600)
            var options = WebhookSender.Options()
            options.pollInterval = 0.01
            options.onAttempt = { attempt in
                attempts.withLock { $0.append(attempt.status) }
                #expect(attempt.delivery.id == "shop-1-1" && (attempt.error == nil) == (attempt.status == 204))
                if attempt.status != 204 { wish.withLock { $0 = true } }
            }
            options.takesRetry = {
                wish.withLock { isThere in
                    defer { isThere = false }
                    return isThere
                }
            }
            let sender = try WebhookSender(
                to: server.url.appendingPathComponent("plays"),
                secrets: [Self.secret],
                settings: settings,
                store: store,
                options: options
            )
            try await Self.running(sender) { try await store.position(of: "shop") == 1 }
            #expect(attempts.withLock { $0 } == [500, 410, 204])
        }
    }

    @Test("While a secret is replaced, a delivery is signed with both")
    func secrets() async throws {
        try await StubServer.with({ _ in StubServer.Response(status: 200) }) { server in
            let store = MemoryPlaylogStore()
            try await store.setPosition(0, of: "shop")
            try await store.put(Self.play(1))
            let other = Data("the new secret, of many characters".utf8)
            try await Self.running(try Self.sender(server, store, secrets: [Self.secret, other])) {
                try await store.position(of: "shop") == 1
            }
            let request = try #require(server.requests.first)
            #expect(try Self.isGenuine(request, Self.secret))
            #expect(try Self.isGenuine(request, other))
        }
    }

    @Test("An address or a secret that will not do is refused at once")
    func refusals() throws {
        let store = MemoryPlaylogStore()
        for (address, secrets) in [
            ("ftp://a.example/", [Self.secret]), ("/plays", [Self.secret]), ("http://a.example/", []),
            ("http://a.example/", [Data("short".utf8)]),
        ] {
            let url = try #require(URL(string: address))
            let error = #expect(throws: EarshotError.self) {
                _ = try WebhookSender(to: url, secrets: secrets, settings: Self.settings(), store: store)
            }
            #expect(error?.code == .configurationInvalid)
        }
    }
}
