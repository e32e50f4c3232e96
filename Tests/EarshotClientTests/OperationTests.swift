import EarshotCatalogs
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

/// What an operation told.
struct Trace<Value: Sendable>: Sendable {
    var statuses: [OperationStatus] = []
    var outcomes: [Result<Value, EarshotError>] = []
    /// Whether the outcome came behind all else.
    private(set) var isOutcomeLast = false

    init(_ operation: ServiceOperation<Value>) async {
        for await event in operation.events {
            switch event {
            case .status(let status):
                statuses.append(status)
                isOutcomeLast = false
            case .finished(let outcome):
                outcomes.append(outcome)
                isOutcomeLast = true
            }
        }
    }

    /// The phases in order, each once.
    var phases: [OperationPhase] {
        statuses.map(\.phase).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    var failure: EarshotError? {
        if case .failure(let error) = outcomes.last { return error }
        return nil
    }
}

@Suite("Operations")
struct OperationTests {
    static let searches: [(SearchRequest, [OperationPhase])] = {
        let samples = (try? TestMusic.samples()) ?? TestMusic.noise()
        let file = URL(fileURLWithPath: "/music/lantern.wav")
        return [
            (.microphone, [.recording, .fingerprinting, .querying, .done]),
            (.stream(samples), [.fingerprinting, .querying, .done]),
            (.file(file), [.fingerprinting, .querying, .done]),
            (.fileSamples(samples), [.fingerprinting, .querying, .done]),
            (.text(MusicQuery(track: "lantern")), [.querying, .done]),
            (.lyrics(LyricQuery("lantern over the hill")), [.querying, .done]),
            (.track("t1"), [.querying, .done]),
            (.album("al1"), [.querying, .done]),
        ]
    }()

    static let files: RecognitionClient.FileOpener = { _ in
        TestSource(TestMusic.pieces[0].samples(from: 0, seconds: 25, sampleRate: 8_000), rate: 8_000)
    }

    @Test(
        "Operations that find something pass through their phases",
        .requirements(
            "R-MC-036",
            "R-MC-037",
            "R-MC-038",
            "R-MC-040",
            "R-MC-024",
            "R-MC-033",
            "R-MC-042",
            "R-MC-053",
            "R-MC-064"
        ),
        arguments: ServicePath.allCases
    )
    func phases(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service, microphone: TestSource.microphone(), files: Self.files) {
            client,
            configuration in
            for (request, phases) in Self.searches {
                let trace = await Trace(client.begin(request, configuration))
                #expect(trace.phases == phases, "\(request.kind)")
                // The last status is `done`, and nothing is between it and the outcome.
                #expect(trace.outcomes.count == 1 && trace.isOutcomeLast)
                let result = try #require(try trace.outcomes.first?.get())
                #expect(result.best != nil && result.best == result.matches.first, "\(request.kind)")
                for status in trace.statuses {
                    #expect((status.percent != nil) == (status.phase == .recording))
                    #expect(!status.message.isEmpty)
                }
            }
        }
    }

    @Test("Recording tells every tenth percent once, up to 100", .requirements("R-MC-034", "R-MC-035"))
    func percents() async throws {
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(of: service, microphone: TestSource.microphone()) {
            client,
            configuration in
            let trace = await Trace(client.begin(.microphone, configuration))
            #expect(trace.statuses.compactMap(\.percent) == Array(stride(from: 10, through: 100, by: 10)))
        }
    }

    @Test(
        "A fingerprint is made without asking anybody",
        .requirements("R-MC-041", "R-MC-079", "R-MC-080", "R-MC-083", "R-MC-084")
    )
    func fingerprints() async throws {
        let service = FakeService()
        let requests: [(FingerprintRequest, [OperationPhase])] = [
            (.microphone, [.recording, .fingerprinting, .done]),
            (.samples(try TestMusic.samples(), .stream), [.fingerprinting, .done]),
            (.file(URL(fileURLWithPath: "/music/lantern.wav")), [.fingerprinting, .done]),
        ]
        let configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        try await StubServer.with(ServiceServer.handler(service)) { server in
            let client = RecognitionClient(
                service: HTTPRecognitionService(
                    server.url,
                    configuration: configuration,
                    options: ServiceServer.patient
                ),
                microphone: TestSource.microphone(),
                files: Self.files
            )
            for (request, phases) in requests {
                let trace = await Trace(client.beginFingerprint(of: request, configuration))
                #expect(trace.phases == phases)
                let result = try #require(try trace.outcomes.first?.get())
                #expect(!result.text.isEmpty)
                #expect(result.fingerprint.kind == (request.kind == .fingerprintFromFile ? .file : .stream))
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "A fingerprint kept as text is found later",
        .requirements("R-MC-039", "R-MC-081", "R-MC-082"),
        arguments: ServicePath.allCases
    )
    func fingerprintSearch(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let request = FingerprintRequest.samples(try TestMusic.samples(2, from: 4), .stream)
            let text = try await client.fingerprint(of: request, configuration).text
            let stored = try Fingerprint(text: String(decoding: Data(text.utf8), as: UTF8.self))
            #expect(stored.text == text)
            let trace = await Trace(client.begin(.fingerprint(stored), configuration))
            #expect(trace.phases == [.querying, .done])
            let told2 = try trace.outcomes.first?.get().best?.track.id
            #expect(told2 == "t2")
        }
    }

    @Test(
        "A text that is no fingerprint is refused",
        arguments: ["", "stream:", "file:!!!", "tape:AAAA", "stream:AAAA"]
    )
    func noFingerprint(text: String) {
        #expect(code { _ = try Fingerprint(text: text) } == .signatureInvalid)
    }

    @Test("Nothing found is a result", .requirements("R-MC-026", "R-MC-024"), arguments: ServicePath.allCases)
    func noMatch(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service) { client, configuration in
            let silence = PCMBuffer(AudioBuffer([Float](repeating: 0, count: 60_000), sampleRate: 8_000))
            for request in [SearchRequest.stream(TestMusic.noise()), .stream(silence), .track("nobody")] {
                let trace = await Trace(client.begin(request, configuration))
                let result = try #require(try trace.outcomes.first?.get())
                #expect(result.best == nil && result.matches.isEmpty)
                #expect(trace.phases.last == .done)
                #expect(trace.outcomes.count == 1 && trace.isOutcomeLast)
            }
            let failing = await Trace(client.begin(.stream(try TestMusic.samples(seconds: 2)), configuration))
            #expect(failing.failure != nil && failing.outcomes.count == 1 && failing.isOutcomeLast)
        }
    }

    @Test("Asking and waiting gives what events give", .requirements("R-MC-031"), arguments: ServicePath.allCases)
    func forms(path: ServicePath) async throws {
        let service = try await TestMusic.shared.value.service
        try await path.withClient(of: service, microphone: TestSource.microphone(), files: Self.files) {
            client,
            configuration in
            for (request, _) in Self.searches {
                let told = await Trace(client.begin(request, configuration)).outcomes.first
                let awaited = try await client.result(of: request, configuration)
                let told3 = try told?.get()
                #expect(told3 == awaited)
            }
            let samples = try TestMusic.samples()
            let file = URL(fileURLWithPath: "/music/lantern.wav")
            for request in [FingerprintRequest.microphone, .samples(samples, .stream), .file(file)] {
                let told = await Trace(client.beginFingerprint(of: request, configuration)).outcomes.first
                let awaited = try await client.fingerprint(of: request, configuration)
                let made = try told?.get()
                #expect(made == awaited, "\(request.kind)")
                let search = SearchRequest.fingerprint(awaited.fingerprint)
                let found = try await Trace(client.begin(search, configuration)).outcomes.first?.get()
                let result = try await client.result(of: search, configuration)
                #expect(found == result && result.best?.track.id == "t1")
            }
            // A failure is the same too.
            let short = SearchRequest.stream(try TestMusic.samples(seconds: 2))
            let told = await Trace(client.begin(short, configuration)).failure
            let thrown = await #expect(throws: EarshotError.self) { try await client.result(of: short, configuration) }
            #expect(told?.code == .signatureDurationInvalid && thrown?.code == told?.code)
            #expect(thrown?.message == told?.message)
        }
    }

    @Test("The call returns before any work is done", .requirements("R-MC-019"))
    func asynchronous() async throws {
        // Device, file and service each keep whoever comes, for as long as the barrier is closed.
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            await barrier.pass()
            return []
        }
        let (microphone, files) = (TestSource.microphone(), Self.files)
        try await ServicePath.inProcess.withClient(
            of: service,
            microphone: {
                await barrier.pass()
                return try await microphone()
            },
            files: { url in
                await barrier.pass()
                return try await files(url)
            }
        ) { client, configuration in
            let file = FingerprintRequest.file(URL(fileURLWithPath: "/music/lantern.wav"))
            let made = client.beginFingerprint(of: file, configuration)
            #expect(!made.isFinished)
            let operations = Self.searches.map { client.begin($0.0, configuration) }
            for operation in operations { #expect(!operation.isFinished, "\(operation.kind)") }
            barrier.open()
            for operation in operations {
                let result = try await operation.value
                #expect(result.matches.isEmpty && operation.isFinished)
            }
            let fingerprint = try await made.value
            #expect(!fingerprint.text.isEmpty)
        }
    }

    @Test(
        "No operation is offered without a configuration and somebody who is told",
        .requirements("R-MC-001", "R-MC-020", "R-MC-021")
    )
    func everyOperation() throws {
        let folder = packageFolder.appendingPathComponent("Sources/EarshotClient/Operations")
        var count = 0
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.lastPathComponent.hasPrefix("RecognitionClient") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for part in text.components(separatedBy: "public func ").dropFirst() where !part.hasPrefix("cancel(") {
                let head = String(part.prefix { $0 != "{" })
                count += 1
                #expect(head.contains("configuration: ClientConfiguration"), "\(head)")
                let isTold = ["receiver: any ", "-> ServiceOperation<", "-> SearchResult", "-> FingerprintResult"]
                    .contains { head.contains($0) }
                #expect(isTold, "\(head)")
            }
        }
        #expect(count == 6)
        // Album identification has its configuration in the options, and each variant gives the same operation.
        let albums = packageFolder.appendingPathComponent(
            "Sources/EarshotAlbums/Identifying/AlbumIdentifier.swift"
        )
        let text = try String(contentsOf: albums, encoding: .utf8)
        let heads = text.components(separatedBy: "public func ").dropFirst().map { $0.prefix { $0 != "{" } }
        #expect(heads.count == 4 && heads.allSatisfy { $0.contains("-> AlbumOperation") })
        let makers = text.components(separatedBy: "public init(").dropFirst().filter { !$0.hasPrefix(")") }
        #expect(makers.count == 1 && makers.allSatisfy { $0.contains("options: Options") })
    }

    @Test("Types of results follow from the request", .requirements("R-MC-020", "R-MC-021"))
    func types() async throws {
        try await ServicePath.inProcess.withClient(of: FakeService(), microphone: TestSource.microphone()) {
            client,
            configuration in
            let found: ServiceOperation<SearchResult> = client.begin(.microphone, configuration)
            _ = await found.outcome
            let made: ServiceOperation<FingerprintResult> = client.beginFingerprint(of: .microphone, configuration)
            let fingerprint = try await made.value
            #expect(!fingerprint.text.isEmpty)
        }
    }

    // MARK: - At the same time

    @Test(
        "Five are worked on at the same time, the others wait, and all are answered",
        .requirements("R-MC-027", "R-MC-028", "R-MC-215", "R-MC-216")
    )
    func many() async throws {
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            await barrier.pass()
            return [MusicMatch("t1")]
        }
        try await ServicePath.inProcess.withClient(of: service) { client, configuration in
            let operations = (0..<50).map { client.begin(.track(EntityID("t\($0)")), configuration) }
            await barrier.arrivals(5)
            // None of the five has an answer yet, so they run at the same time; no sixth does.
            #expect(service.running == 5)
            barrier.openOnce()
            await barrier.arrivals(6)
            #expect(service.running <= 5)
            barrier.open()
            for operation in operations {
                let told4 = try await operation.value.best?.track.id
                #expect(told4 == "t1")
            }
            #expect(service.mostRunning == 5)
            #expect(service.calls.count == 50)
        }
    }

    @Test("A configuration is that of its operation alone", .requirements("R-MC-006", "R-MC-008"))
    func configurations() async throws {
        let service = FakeService()
        try await StubServer.with(ServiceServer.handler(service)) { server in
            var japanese = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
            try japanese.setValue("jpn", forKey: "content.lang")
            var german = japanese
            try german.setValue("deu", forKey: "content.lang")
            let client = RecognitionClient(
                service: HTTPRecognitionService(server.url, configuration: japanese, options: ServiceServer.patient)
            )
            let operations = [client.begin(.track("j"), japanese), client.begin(.track("g"), german)]
            for operation in operations { _ = try await operation.value }
            let languages = server.requests.filter { $0.path.hasPrefix("/v1/tracks/") }.map {
                [$0.path, $0.query["lang"]]
            }
            #expect(Set(languages) == [["/v1/tracks/j", "jpn"], ["/v1/tracks/g", "deu"]])
            // Copies share what the service gave: it was asked for one token.
            #expect(server.paths.filter { $0 == "/v1/tokens" }.count == 1)
        }
    }
}
