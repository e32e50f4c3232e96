import EarshotCore
import Foundation
import TestSupport
import Testing

/// The example as a user runs it.
@Suite("The example app as a program")
struct RecogniserToolTests {
    @Test("It shows every class of operation without a service", .requirements("R-MC-251", "R-MC-259"))
    func demo() async throws {
        let outcome = try await Tool("Recognizer").run(["--demo"], environment: ["LANG": "en"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for line in [
            "Microphone: 1 match", "Stored fingerprint: 1 match", "Stored samples: 1 match", "File: 1 match",
            "Files: 5 matches", "Text search: 1 match", "Lyric search: 1 match", "Track: 1 match", "Try again",
            "History: 3 matches",
        ] {
            #expect(outcome.output.contains(line), "\(line) is missing in \(outcome.output)")
        }
    }

    @Test("Without a client identifier it says what to do", .requirements("R-MC-254"))
    func noIdentifier() async throws {
        let environment = ["LANG": "en", "EARSHOT_CLIENT": "", "EARSHOT_SERVER": "http://localhost:9"]
        let missing = try await Tool("Recognizer").run(["text", "x"], environment: environment)
        #expect(missing.status == 1 && missing.errors.contains("set EARSHOT_CLIENT to ID-TAG"))
        let wrong = try await Tool("Recognizer").run(
            ["text", "x"],
            environment: environment.merging(["EARSHOT_CLIENT": "nonsense"]) { $1 }
        )
        #expect(wrong.status == 1 && wrong.errors.contains("has not the form ID-TAG"))
    }

    @Test("A service that cannot be reached leads to the connection", .requirements("R-MC-202", "R-MC-255"))
    func offline() async throws {
        let environment = ["LANG": "en", "EARSHOT_CLIENT": "1-A", "EARSHOT_SERVER": "http://127.0.0.1:9"]
        let outcome = try await Tool("Recognizer").run(["text", "x"], environment: environment)
        #expect(outcome.status == 1 && outcome.output.contains("Check the connection"))
        #expect(outcome.output.contains("[r] try again"))
    }

    @Test("A service that fails with status 500 leads to the connection", .requirements("R-MC-255", "R-MC-206"))
    func failing() async throws {
        try await StubServer.with { request in
            request.path == "/v1/tokens"
                ? ServiceServer.tokens(request)
                : ServiceServer.failure(.internalError, "Technical words.", status: 500)
        } _: { server in
            let environment = ["LANG": "en", "EARSHOT_CLIENT": "1-A", "EARSHOT_SERVER": "\(server.url)"]
            let outcome = try await Tool("Recognizer").run(["text", "x"], environment: environment)
            #expect(outcome.status == 1 && outcome.output.contains("Check the Internet connection"))
            #expect(!(outcome.output + outcome.errors).contains("Technical words"))
            #expect(server.paths == ["/v1/tokens", "/v1/search"])
        }
    }
}
