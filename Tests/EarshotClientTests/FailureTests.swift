import EarshotCatalogs
import EarshotCore
@testable import EarshotMusic
@testable import EarshotRecognition
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Failures, hints, history and log")
struct FailureTests {
    @Test(
        "Every kind of failure can be had, with a code and a message",
        .requirements("R-MC-201", "R-MC-205", "R-MC-025")
    )
    func kinds() async throws {
        let codes: [(EarshotError.Code, FailureKind)] = [
            (.signatureDurationInvalid, .fingerprintUnavailable), (.signatureInvalid, .fingerprintGenerationFailed),
            (.microphoneUnavailable, .microphoneUnavailable), (.clientIdentifierRejected, .clientIdentifierRejected),
            (.networkUnavailable, .networkUnavailable), (.serviceFailure, .serviceFailure),
            (.malformedResponse, .malformedResponse), (.internalError, .unexpected), (.cancelled, .cancelled),
            (.fileAccessDenied, .fileAccessDenied), (.timedOut, .networkUnavailable), (.quotaExceeded, .serviceFailure),
        ]
        #expect(Set(codes.map(\.1)) == Set(FailureKind.allCases))
        for (code, kind) in codes {
            let service = FakeService { _, _ throws(EarshotError) in throw EarshotError(code, "It was \(code).") }
            try await ServicePath.inProcess.withClient(of: service) { client, configuration in
                let error = try #require(await Trace(client.begin(.track("t"), configuration)).failure)
                #expect(error.failureKind == kind && !error.message.isEmpty)
                let report = FailureReport(error, operation: .track)
                #expect(report.kind == kind && report.code == code.rawValue && report.message == error.message)
                let copy = try JSONDecoder().decode(FailureReport.self, from: try JSONEncoder().encode(report))
                #expect(copy == report)
            }
        }
    }

    @Test("Every code there is has a kind, and all kinds have their names", .requirements("R-MC-201"))
    func allCodes() {
        for code in EarshotError.Code.all { #expect(FailureKind.allCases.contains(FailureKind(code))) }
        #expect(
            FailureKind.allCases.map(\.rawValue) == [
                "fingerprintUnavailable", "fingerprintGenerationFailed", "microphoneUnavailable",
                "clientIdentifierRejected", "networkUnavailable", "serviceFailure", "malformedResponse",
                "fileAccessDenied", "cancelled", "unexpected",
            ]
        )
    }

    @Test("Texts for users follow from the kind, in five languages", .requirements("R-MC-206", "R-MC-207", "R-MC-255"))
    func texts() {
        let format = ["cannot be recognized", "format is invalid or not supported"]
        let words: [FailureKind: [String]] = [
            .fingerprintUnavailable: format, .fingerprintGenerationFailed: format,
            .microphoneUnavailable: ["microphone is needed to record", "Close other apps", "try again"],
            .clientIdentifierRejected: ["music identification service is unavailable"],
            .networkUnavailable: ["working Internet connection is required", "try again when it is back"],
            .serviceFailure: ["cannot be met at present"], .malformedResponse: ["request failed. Try again"],
            .fileAccessDenied: ["file cannot be read"], .cancelled: ["Canceled"],
            .unexpected: ["An error occurred", "could not be completed"],
        ]
        for kind in FailureKind.allCases {
            for part in words[kind] ?? ["?"] { #expect(kind.text().contains(part), "\(kind)") }
            let texts = FailureKind.languages.map { kind.text(language: $0) }
            #expect(Set(texts).count == 5 && texts.allSatisfy { !$0.isEmpty })
            #expect(kind.text(language: "de-AT") == texts[1] && kind.text(language: "tlh") == texts[0])
        }
        // A service that fails with a status of 500 leads to the connection too.
        #expect(FailureKind.serviceFailure.text().contains("connection"))
    }

    @Test("A retry is offered where it may help", .requirements("R-MC-208"))
    func retries() {
        #expect(FailureKind.malformedResponse.offersRetry && FailureKind.networkUnavailable.offersRetry)
        #expect(!FailureKind.fingerprintUnavailable.offersRetry && !FailureKind.cancelled.offersRetry)
    }

    @Test("Tips differ from failure to failure until all were shown", .requirements("R-MC-244"))
    func hints() {
        var hints = HelpHints()
        for _ in 0..<3 {
            let tips = HelpHints.Tip.allCases.map { _ in hints.next() }
            #expect(Set(tips).count == HelpHints.Tip.allCases.count)
        }
    }

    @Test("Who says what was sought gets the tip for that", .requirements("R-MC-245"))
    func sought() {
        let hints = HelpHints()
        #expect(hints.tip(for: .humming) == .publishedRecordings)
        #expect(hints.tip(for: .humming).text.contains("published recordings"))
        #expect(hints.tip(for: .quiet) == .louder && hints.tip(for: .file) == .useFile)
        for tip in HelpHints.Tip.allCases { #expect(!tip.text.isEmpty) }
    }

    // MARK: - History

    private final class History: HistoryRecording {
        struct Full: Error {}
        let kept = Collector<OperationKind>()
        let isFull = Mutex(false)

        func record(_ match: MusicMatch, from kind: OperationKind) async throws {
            if isFull.withLock({ $0 }) { throw Full() }
            kept.add(kind)
        }
    }

    @Test("What was heard goes into the history, what was looked up does not", .requirements("R-MC-226"))
    func history() async throws {
        let history = History()
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(
            of: service,
            microphone: TestSource.microphone(),
            files: OperationTests.files,
            history: history
        ) { client, configuration in
            for (request, _) in OperationTests.searches { _ = try await client.result(of: request, configuration) }
            let samples = try TestMusic.samples()
            let fingerprint = try await client.fingerprint(of: .samples(samples, .stream), configuration).fingerprint
            _ = try await client.result(of: .fingerprint(fingerprint), configuration)
            // Nothing found is nothing to keep.
            _ = try await client.result(of: .stream(TestMusic.noise()), configuration)
            #expect(history.kept.all == [.streamFromMicrophone, .streamFromSamples, .fingerprintSearch])
            history.isFull.withLock { $0 = true }
            let result = try await client.result(of: .stream(samples), configuration)
            #expect(result.best?.track.id == "t1")
        }
    }

    @Test("A store of history takes what was heard, with time and place", .requirements("R-MC-226", "R-MC-227"))
    func storedHistory() async throws {
        let store = MemoryHistoryStore()
        let date = Date(timeIntervalSince1970: 1_000_000)
        let history = StoredHistory(store, now: { date })
        try await ServicePath.inProcess.withClient(
            of: FakeService(),
            microphone: TestSource.microphone(),
            history: history
        ) { client, configuration in
            let samples = try TestMusic.samples()
            let fingerprint = try await client.fingerprint(of: .samples(samples, .stream), configuration).fingerprint
            let requests: [SearchRequest] = [
                .microphone, .stream(samples), .fileSamples(samples), .track("t"), .fingerprint(fingerprint),
            ]
            for request in requests { _ = try await client.result(of: request, configuration) }
        }
        let entries = try await store.entries()
        #expect(Set(entries.map(\.operation)) == [.streamMicrophone, .streamPCM, .fingerprint])
        let isWhole = entries.allSatisfy { $0.date == date && $0.match.track.id == "t1" && $0.place == nil }
        #expect(entries.count == 3 && isWhole)
    }

    // MARK: - Log

    @Test(
        "Only operations that ask for it are logged",
        .requirements("R-MC-236", "R-MC-237"),
        arguments: ["1", "true", "True"]
    )
    func log(word: String) async throws {
        let lines = Collector<String>()
        try await ServicePath.inProcess.withClient(of: FakeService(), debugLog: { lines.add($0) }) {
            client,
            configuration in
            var logged = configuration
            try logged.setValue(word, forKey: "debugEnabled")
            let operations = [client.begin(.track("quiet"), configuration), client.begin(.track("loud"), logged)]
            for operation in operations { _ = try await operation.value }
            #expect(!lines.all.isEmpty && lines.all.allSatisfy { $0.hasPrefix("operation 2:") })
        }
        // Without a log to write to, the setting has no effect.
        try await ServicePath.inProcess.withClient(of: FakeService()) { client, configuration in
            var logged = configuration
            logged.debugEnabled = true
            _ = try await client.result(of: .track("t"), logged)
        }
    }

    @Test("Each older name is noted once", .requirements("R-MC-015"))
    func notices() async throws {
        let lines = Collector<String>()
        try await ServicePath.inProcess.withClient(of: FakeService(), debugLog: { lines.add($0) }) {
            client,
            configuration in
            var old = configuration
            old.debugEnabled = true
            try old.setValue("DEU", forKey: "country")
            try old.setValue("JPN", forKey: "country")
            // The same name with its prefix is no other one.
            try old.setValue("FRA", forKey: "webservices.country")
            try old.setValue("shop", forKey: "preferredLinkSource")
            for _ in 0..<3 { _ = try await client.result(of: .track("t"), old) }
            let notices = lines.all.filter { $0.contains("is now called") }
            #expect(notices.count == 2)
            #expect(notices.first?.contains("country is now called content.country") == true)
            #expect(notices.last?.contains("preferredLinkSource is now called content.link.preferredSource") == true)
        }
    }

    @Test("Neither secrets nor audio are logged", .requirements("R-MC-239"))
    func secrets() async throws {
        let lines = Collector<String>()
        let service = try await TestMusic.shared.value.service
        try await ServicePath.http.withClient(
            of: service,
            microphone: TestSource.microphone(),
            debugLog: { lines.add($0) }
        ) {
            client,
            configuration in
            var logged = configuration
            logged.debugEnabled = true
            logged.user = "secret-user"
            let samples = try TestMusic.samples()
            _ = try await client.result(of: .stream(samples), logged)
            _ = try await client.result(of: .microphone, logged)
            _ = await Trace(client.begin(.file(URL(fileURLWithPath: "/x.wav")), logged))
            let fingerprint = try await client.fingerprint(of: .samples(samples, .stream), logged)
            let text = lines.all.joined(separator: "\n")
            #expect(text.contains("12345678"))
            #expect(!text.contains("ABCDEFGH") && !text.contains(ServiceServer.token) && !text.contains("secret-user"))
            #expect(!text.contains(fingerprint.text.suffix(40)))
            // Neither the samples, as base 64 or as numbers, nor anything of their length.
            let heard = samples.samples.dropFirst(8_000).prefix(48)
            #expect(!text.contains(Data(heard).base64EncodedString()))
            #expect(!text.contains(heard.prefix(8).map { "\($0)" }.joined(separator: ", ")))
            #expect(text.utf8.count < samples.samples.count / 8)
        }
    }
}
