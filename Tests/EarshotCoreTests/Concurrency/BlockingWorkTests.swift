import Dispatch
import EarshotCore
import Synchronization
import Testing

@Suite("Work that blocks")
struct BlockingWorkTests {
    /// Counts those of its kind that are gone.
    private final class Token: Sendable {
        static let gone = Atomic(0)

        deinit { Self.gone.add(1, ordering: .sequentiallyConsistent) }
    }

    @Test("what work holds is let go of before its result is there")
    func release() async throws {
        let queue = DispatchQueue(label: "earshot.tests.blocking")
        for count in 1...5_000 {
            try await BlockingWork.run(on: queue) { [token = Token()] () throws(EarshotError) in _ = token }
            try #require(Token.gone.load(ordering: .sequentiallyConsistent) == count)
        }
    }

    @Test("what work throws is thrown")
    func failure() async throws {
        let error = await #expect(throws: EarshotError.self) {
            try await BlockingWork.run { () throws(EarshotError) in throw EarshotError(.cancelled, "No.") }
        }
        #expect(error?.code == .cancelled)
    }
}
