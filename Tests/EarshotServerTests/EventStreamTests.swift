import EarshotCore
import Testing

@testable import EarshotServer

@Suite("Server-sent events", .timeLimit(.minutes(1)))
struct EventStreamTests {
    @Test("a stream of events ends when its sender would no longer be admitted")
    func ended() async throws {
        let (records, feed) = AsyncStream.makeStream(of: Int.self)
        feed.yield(1)
        let texts = EventStream.texts("number", records, every: .milliseconds(10)) { () async throws(EarshotError) in
            throw EarshotError(.tokenRejected, "The sign-in was ended.")
        }
        var told: [String] = []
        for try await text in texts { told.append(text) }
        #expect(told == ["event: number\ndata: 1\n\n"])
    }

    @Test("a silent stream has a comment now and then while its sender is admitted")
    func silent() async throws {
        let (records, feed) = AsyncStream.makeStream(of: Int.self)
        let texts = EventStream.texts("number", records, every: .milliseconds(10)) { () async throws(EarshotError) in }
        var count = 0
        for try await text in texts {
            #expect(text == ": waiting\n\n")
            count += 1
            if count == 2 { feed.finish() }
        }
        #expect(count >= 2)
    }
}
