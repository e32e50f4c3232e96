import AsyncHTTPClient
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Service over HTTP")
struct HTTPServiceTests {
    private func service(_ url: URL, _ change: (inout HTTPRecognitionService.Options) -> Void = { _ in }) throws
        -> HTTPRecognitionService
    {
        var options = ServiceServer.patient
        options.retry = RetryPolicy(attempts: 3, firstDelay: .zero)
        options.random = { 0 }
        change(&options)
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        return HTTPRecognitionService(url, configuration: configuration, options: options)
    }

    private func failure(_ service: HTTPRecognitionService) async -> EarshotError? {
        do throws(EarshotError) {
            _ = try await service.search(MusicQuery("x"), ContentPreferences())
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Tokens

    @Test("One token serves many requests at once", .requirements("R-MC-005"))
    func oneToken() async throws {
        try await StubServer.with(ServiceServer.handler(FakeService())) { server in
            let service = try service(server.url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { _ = try await service.track(EntityID("t\(number)"), ContentPreferences()) }
                }
                try await group.waitForAll()
            }
            #expect(server.paths.filter { $0 == "/v1/tokens" }.count == 1)
            let request = try #require(server.requests.first { $0.path == "/v1/tokens" })
            let body = try ServiceAPI.decoder().decode(TokenRequest.self, from: request.body)
            #expect(body.client == ServiceServer.identifier)
        }
    }

    @Test("A token is renewed before it ends, and once when it is refused")
    func renewal() async throws {
        let clock = ManualClock()
        let refusals = Mutex(0)
        try await StubServer.with { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request, expiresIn: 100) }
            let isRefused = refusals.withLock { count in
                count = max(0, count - 1)
                return count > 0
            }
            if isRefused { return ServiceServer.failure(.tokenRejected, "Unknown.", status: 401) }
            return ServiceServer.json(MatchList([]))
        } _: { server in
            let service = try service(server.url) { $0.clock = clock.clock }
            func tokens() -> Int { server.paths.filter { $0 == "/v1/tokens" }.count }
            #expect(await failure(service) == nil)
            clock.advance(by: 80)
            #expect(await failure(service) == nil)
            #expect(tokens() == 1)
            clock.advance(by: 15)
            #expect(await failure(service) == nil)
            #expect(tokens() == 2)
            refusals.withLock { $0 = 2 }
            #expect(await failure(service) == nil)
            #expect(tokens() == 3)
            refusals.withLock { $0 = 9 }
            #expect(await failure(service)?.failureKind == .clientIdentifierRejected)
            #expect(tokens() == 4)
        }
    }

    @Test("A client that is refused is told so by every operation", .requirements("R-MC-004"))
    func refusedClient() async throws {
        try await StubServer.with { _ in
            ServiceServer.failure(.clientIdentifierRejected, "No such client.", status: 401)
        } _: { server in
            let client = RecognitionClient(
                service: try service(server.url),
                microphone: TestSource.microphone(),
                files: OperationTests.files
            )
            let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            let signature = try TestMusic.pieces[1].signature(seconds: 7, sampleRate: 8_000)
            let requests =
                OperationTests.searches.map(\.0) + [.fingerprint(Fingerprint(signature, kind: .stream))]
            for request in requests {
                let trace = await Trace(client.begin(request, configuration))
                #expect(trace.failure?.code == .clientIdentifierRejected, "\(request.kind)")
                #expect(trace.failure?.failureKind == .clientIdentifierRejected)
                #expect(trace.outcomes.count == 1)
            }
            #expect(server.paths == Array(repeating: "/v1/tokens", count: requests.count))
        }
    }

    // MARK: - Failures

    @Test(
        "What a service says of a failure reaches the app",
        .requirements("R-MC-203", "R-MC-209", "R-MC-025"),
        arguments: ["The index is being made.", "Etwas ganz anderes.", "OK"]
    )
    func serviceFailure(message: String) async throws {
        for (status, code) in [(500, EarshotError.Code.internalError), (403, .accessDenied), (500, .storeDamaged)] {
            try await StubServer.with { request in
                request.path == "/v1/tokens"
                    ? ServiceServer.tokens(request) : ServiceServer.failure(code, message, status: status)
            } _: { server in
                let error = await failure(try service(server.url))
                #expect(error?.failureKind == .serviceFailure)
                #expect(error?.message == message)
            }
        }
    }

    @Test("A match that a service could not make is told as such, and may be tried again", .requirements("R-CC-109"))
    func matchFailure() async throws {
        let signature = try TestMusic.pieces[1].signature(seconds: 7, sampleRate: 8_000)
        try await StubServer.with { request in
            request.path == "/v1/tokens"
                ? ServiceServer.tokens(request)
                : ServiceServer.failure(.matchAttemptFailed, "The index is away.", status: 500)
        } _: { server in
            let service = try service(server.url)
            let error = await #expect(throws: EarshotError.self) {
                try await service.recognize(RecognitionQuery(signature), ContentPreferences())
            }
            #expect(error?.code == .matchAttemptFailed && error?.message == "The index is away.")
            #expect(error?.failureKind.offersRetry == true)
        }
    }

    @Test("A damaged answer is malformed, and nothing worse", .requirements("R-MC-204"))
    func damaged() async throws {
        let whole = ServiceServer.json(MatchList([MusicMatch("t1", album: "a1")])).body
        let bodies =
            (0..<40).map { Data(whole.prefix(whole.count * $0 / 40)) } + [Data([0xFF, 0xFE]), Data("[1]".utf8)]
        let number = Mutex(0)
        try await StubServer.with { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
            return StubServer.Response(body: bodies[number.withLock { $0 }])
        } _: { server in
            let service = try service(server.url)
            for index in bodies.indices {
                number.withLock { $0 = index }
                #expect(await failure(service)?.code == .malformedResponse, "\(bodies[index].count) bytes")
            }
        }
    }

    @Test("An answer that is too large is refused")
    func tooLarge() async throws {
        try await StubServer.with { request in
            request.path == "/v1/tokens"
                ? ServiceServer.tokens(request) : StubServer.Response(body: Data(count: 100_000))
        } _: { server in
            let error = await failure(try service(server.url) { $0.responseLimit = 50_000 })
            #expect(error?.code == .malformedResponse)
        }
    }

    @Test("Where nobody answers there is no network", .requirements("R-MC-202"))
    func offline() async throws {
        let url = try await StubServer.with({ _ in StubServer.Response() }) { $0.url }
        let error = await failure(try service(url))
        #expect(error?.code == .networkUnavailable && error?.message.isEmpty == false)
        let wrong = try service(try #require(URL(string: "ftp://localhost")))
        #expect(await failure(wrong)?.code == .configurationInvalid)
    }

    @Test("A service that is silent is not waited for without end", .requirements("R-MC-211", "R-MC-212"))
    func silent() async throws {
        #expect(HTTPRecognitionService.Options().requestLimit == MediaTime(value: 30, timescale: 1))
        #expect(HTTPRecognitionService.Options().connectLimit == MediaTime(value: 10, timescale: 1))
        let (clock, barrier) = (ManualClock(), Barrier())
        try await StubServer.with { request in
            if request.path != "/v1/tokens" { await barrier.pass() }
            return ServiceServer.tokens(request)
        } _: { server in
            let service = try service(server.url) { options in
                options.clock = clock.clock
                options.requestLimit = MediaTime(value: 7, timescale: 1)
            }
            async let error = failure(service)
            await barrier.arrivals(1)
            while clock.sleeperCount != 1 { await Task.yield() }
            clock.advance(by: 6.9)
            #expect(clock.sleeperCount == 1)
            clock.advance(by: 0.2)
            #expect(await error?.code == .timedOut)
            barrier.open()
        }
    }

    @Test(
        "A connection has the limit of the options, and the guide tells both limits",
        .requirements("R-MC-211", "R-MC-212")
    )
    func connecting() throws {
        var options = HTTPRecognitionService.Options()
        #expect(HTTPConnections.configuration(options).timeout.connect == .seconds(10))
        options.connectLimit = MediaTime(value: 5, timescale: 2)
        #expect(HTTPConnections.configuration(options).timeout.connect == .milliseconds(2_500))
        let guide = try String(contentsOf: packageFolder.appendingPathComponent("Docs/client.md"), encoding: .utf8)
        for row in [
            "| making a connection | 10 s | `HTTPRecognitionService.Options.connectLimit` |",
            "| one attempt at a request | 30 s | `HTTPRecognitionService.Options.requestLimit` |",
        ] { #expect(guide.contains(row), "\(row)") }
    }

    @Test("A request that is canceled ends as canceled")
    func cancelled() async throws {
        let barrier = Barrier()
        try await StubServer.with { request in
            if request.path != "/v1/tokens" { await barrier.pass() }
            return ServiceServer.tokens(request)
        } _: { server in
            let service = try service(server.url)
            let task = Task { await failure(service) }
            await barrier.arrivals(1)
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            barrier.open()
        }
    }

    // MARK: - Repeating

    @Test("Two failures before a success are not noticed", .requirements("R-MC-214"), arguments: [0, 429, 503])
    func repeated(status: Int) async throws {
        let count = Mutex(0)
        try await StubServer.with { request in
            if request.path == "/v1/tokens" { return ServiceServer.tokens(request) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= 2 else { return ServiceServer.json(MatchList([])) }
            if status == 0 { return StubServer.Response(isCut: true) }
            return StubServer.Response(status: status, headers: [("retry-after", "0")])
        } _: { server in
            let service = try service(server.url)
            #expect(await failure(service) == nil)
            #expect(count.withLock { $0 } == 3)
        }
    }

    @Test("What will not be over soon is not repeated")
    func notRepeated() async throws {
        let responses = [
            ServiceServer.failure(.quotaExceeded, "Tomorrow again.", status: 429, headers: [("retry-after", "5")]),
            ServiceServer.failure(.serviceBusy, "Later.", status: 503, headers: [("retry-after", "3600")]),
            ServiceServer.failure(.requestInvalid, "What?", status: 400),
        ]
        for response in responses {
            try await StubServer.with { request in
                request.path == "/v1/tokens" ? ServiceServer.tokens(request) : response
            } _: { server in
                let service = try service(server.url)
                #expect(await failure(service)?.failureKind == .serviceFailure)
                #expect(server.paths == ["/v1/tokens", "/v1/search"])
            }
        }
    }

    @Test("Pauses grow, keep to what was asked for, and have an end")
    func pauses() {
        let policy = RetryPolicy.standard
        let seconds = (1...5).map { policy.delay(after: $0, requested: nil, random: 1)?.seconds }
        #expect(seconds == [0.5, 1, 2, nil, nil])
        property("pauses of retries") { generator in
            let attempt = Int.random(in: 1...3, using: &generator)
            let asked = Bool.random(using: &generator) ? Double.random(in: 0...40, using: &generator) : nil
            let requested = asked.map { MediaTime(seconds: $0, preferredTimescale: 1000) }
            let delay = policy.delay(
                after: attempt,
                requested: requested,
                random: .random(in: 0...1, using: &generator)
            )
            guard let delay else { return requested.map { $0 > policy.longestDelay } ?? false }
            let longest = 0.5 * Double(1 << (attempt - 1))
            return delay.seconds >= max(longest / 2, requested?.seconds ?? 0) - 1e-6
                && delay.seconds <= max(longest, requested?.seconds ?? 0) + 1e-6
        }
    }

    @Test("A search of a part of the catalog that finds nothing is made again, and is never taken for no match")
    func searchIncomplete() async throws {
        let signature = try TestMusic.pieces[1].signature(seconds: 7, sampleRate: 8_000)
        try await StubServer.with { request in
            request.path == "/v1/tokens"
                ? ServiceServer.tokens(request)
                : ServiceServer.failure(.searchIncomplete, "3 of 9 references cannot be searched.", status: 503)
        } _: { server in
            let service = try service(server.url)
            let error = await #expect(throws: EarshotError.self) {
                try await service.recognize(RecognitionQuery(signature), ContentPreferences())
            }
            #expect(error?.code == .searchIncomplete && error?.failureKind == .serviceFailure)
            #expect(server.paths.count { $0 == "/v1/recognitions" } == 3)
        }
    }

    // MARK: - What is sent

    @Test("A request carries what is wanted and no more", .requirements("R-MC-006", "R-MC-011", "R-MC-012", "R-MC-224"))
    func sent() async throws {
        let fake = FakeService()
        try await StubServer.with(ServiceServer.handler(fake)) { server in
            let service = try service(server.url)
            let signature = try TestMusic.pieces[1].signature(seconds: 7, sampleRate: 8_000)
            _ = try await service.recognize(RecognitionQuery(signature, kind: .file), ContentPreferences())
            let request = try #require(server.requests.last)
            #expect(request.method == "POST" && request.path == "/v1/recognitions")
            #expect(request.query == ["kind": "file"])
            #expect(request.body == signature.data)
            #expect(request.headers["content-type"] == "application/vnd.earshot.signature")
            #expect(request.headers["authorization"] == "Bearer \(ServiceServer.token)")
            #expect(request.headers["traceparent"]?.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil)
            let query = MusicQuery("a&b=c ü", artist: "x", isTyping: true, offset: 5, limit: 5)
            _ = try await service.search(query, ContentPreferences())
            #expect(fake.calls.last == .text(query))
            let lyrics = LyricQuery("la + la", artist: "y/z", offset: 3, limit: 7)
            _ = try await service.search(lyrics, ContentPreferences())
            #expect(fake.calls.last == .lyrics(lyrics))
        }
    }

    @Test("The spectrogram is sent where that is wanted and the service is in doubt, for the same recording")
    func moreEvidence() async throws {
        let signature = try TestMusic.pieces[1].signature(seconds: 7, sampleRate: 8_000)
        let answering = ServiceServer.handler(FakeService())
        let asking: StubServer.Handler = { request in
            guard request.query["moreEvidence"] == "1" else { return await answering(request) }
            return ServiceServer.failure(.moreEvidence, "A doubt.", status: 422)
        }
        for (handler, count) in [(answering, 1), (asking, 2)] {
            try await StubServer.with(handler) { server in
                let service = try service(server.url) { $0.sendsSpectrograms = true }
                _ = try await service.recognize(RecognitionQuery(signature), ContentPreferences())
                let requests = server.requests.filter { $0.path == "/v1/recognitions" }
                #expect(requests.count == count)
                #expect(requests[0].body == signature.data)
                guard count == 2 else { return }
                #expect(requests[1].body == signature.dataWithSpectrogram)
                #expect(requests[1].query == ["kind": "stream"])
            }
        }
        // Who has none does not offer it, and who does not want to send it neither.
        try await StubServer.with(answering) { server in
            let plain = try Signature(data: signature.data)
            let sending = try service(server.url) { $0.sendsSpectrograms = true }
            _ = try await sending.recognize(RecognitionQuery(plain), ContentPreferences())
            #expect(server.requests.last?.query == ["kind": "stream"])
            _ = try await service(server.url).recognize(RecognitionQuery(signature), ContentPreferences())
            #expect(server.requests.last?.query == ["kind": "stream"] && server.requests.last?.body == signature.data)
        }
    }

    @Test("Preferences arrive as they were set")
    func preferences() async throws {
        let fake = FakeService()
        try await StubServer.with(ServiceServer.handler(fake)) { server in
            let service = try service(server.url)
            for key in ConfigurationKey.allCases {
                var configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
                try configuration.setValue(ConfigurationTests.other(key), forKey: key.rawValue)
                _ = try await service.track("t1", configuration.preferences)
                #expect(fake.preferences.last == configuration.preferences, "\(key)")
            }
        }
    }
}
