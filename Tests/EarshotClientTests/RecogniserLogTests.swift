import EarshotClient
import EarshotMusic
@testable import EarshotRecognition
import TestSupport
import Testing

@testable import Recognizer

/// What is delivered is built for release; the tests of a build for debugging prove that there is something to leave out.
@Suite("The debug log of the example app")
struct RecogniserLogTests {
    #if DEBUG
        private static let isForRelease = false
    #else
        private static let isForRelease = true
    #endif

    @Test("A build for release logs nothing, whatever its settings say", .requirements("R-MC-238"))
    @MainActor
    func setting() async throws {
        let lines = Collector<String>()
        var configuration = try ClientConfiguration(clientIdentifier: ServiceServer.identifier)
        try configuration.setValue("1", forKey: "debugEnabled")
        let app = RecognizerApp(
            service: FakeService(),
            configuration: configuration,
            microphone: nil,
            debugLog: { lines.add($0) }
        ) { _ in }
        await app.find(.track("t1"), as: .track)
        #expect(app.screen.result?.best?.track.id == "t1")
        #expect(RecognizerApp.offersDebugLog == !Self.isForRelease)
        #expect(lines.all.isEmpty == Self.isForRelease, "\(lines.all)")
    }

    @Test("The program has no switch for it, and its setting has no effect", .requirements("R-MC-238"))
    func program() async throws {
        let environment = ["LANG": "en", "EARSHOT_CLIENT": "1-A", "EARSHOT_SERVER": "http://127.0.0.1:9"]
        let tool = Tool("Recognizer")
        let set = try await tool.run(["--set", "debugEnabled=1", "text", "x"], environment: environment)
        #expect(set.status == 1 && set.output.contains("Check the connection"))
        #expect(set.errors.isEmpty == Self.isForRelease, "\(set.errors)")
        let switched = try await tool.run(["--debug", "text", "x"], environment: environment)
        #expect(switched.errors.contains("say what to do") == Self.isForRelease, "\(switched.errors)")
    }
}
