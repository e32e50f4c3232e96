import EarshotCore
import Synchronization
import TestSupport
import Testing

@Suite("Work with a time limit")
struct TimeLimitTests {
    private static let limit = MediaTime(value: 2, timescale: 1)

    private func code(_ outcome: LimitedOutcome<Result<Int, EarshotError>>) -> EarshotError.Code? {
        if case .failure(let error) = outcome.result(Self.limit, "The work") { error.code } else { nil }
    }

    @Test("Work that ends in time gives its value", arguments: [nil, MediaTime.indefinite, limit])
    func value(_ limit: MediaTime?) async throws {
        for unfinished in [UnfinishedWork.stopped, .abandoned, .shielded] {
            let outcome = await withTimeLimit(limit, clock: ManualClock().clock, unfinished: unfinished) {
                () async -> Result<Int, EarshotError> in .success(7)
            }
            #expect(try outcome.result(limit, "The work").get() == 7)
        }
    }

    @Test("Work that takes too long is canceled and waited for")
    func stopped() async {
        let clock = ManualClock()
        let isStopped = Mutex(false)
        async let outcome = withTimeLimit(Self.limit, clock: clock.clock) { () async -> Result<Int, EarshotError> in
            while !Task.isCancelled { await Task.yield() }
            isStopped.withLock { $0 = true }
            return .success(7)
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: 2)
        let end = await outcome
        #expect(code(end) == .timedOut && isStopped.withLock { $0 })
        guard case .failure(let error) = end.result(Self.limit, "The work") else { return }
        #expect(error.message == "The work took longer than 2.0 s: try again.")
    }

    @Test("Work that never ends is not waited for", arguments: [true, false])
    func abandoned(_ isShielded: Bool) async {
        let (clock, never) = (ManualClock(), FirstValue<Int>())
        async let outcome = withTimeLimit(
            Self.limit,
            clock: clock.clock,
            unfinished: isShielded ? .shielded : .abandoned
        ) { () async -> Result<Int, EarshotError> in .success(await never.value) }
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: 2)
        #expect(code(await outcome) == .timedOut)
        never.settle(0)
    }

    @Test("Canceling the waiting task cancels the work, unless it is shielded")
    func cancelled() async {
        let clock = ManualClock()
        let abandoned = FirstValue<Int>()
        let task = Task {
            await withTimeLimit(nil, clock: clock.clock, unfinished: .abandoned) {
                () async -> Result<Int, EarshotError> in .success(await abandoned.value)
            }
        }
        task.cancel()
        #expect(code(await task.value) == .cancelled)
        abandoned.settle(0)
        let shielded = FirstValue<Int>()
        let other = Task {
            await withTimeLimit(nil, clock: clock.clock, unfinished: .shielded) {
                () async -> Result<Int, EarshotError> in .success(await shielded.value)
            }
        }
        other.cancel()
        shielded.settle(7)
        #expect(code(await other.value) == nil)
        // Work that is to be stopped notices it, and its own answer counts.
        let stopped = Task {
            await withTimeLimit(Self.limit, clock: clock.clock) { () async -> Result<Int, EarshotError> in
                while !Task.isCancelled { await Task.yield() }
                return .failure(EarshotError(.readFailed, "stopped"))
            }
        }
        stopped.cancel()
        #expect(code(await stopped.value) == .readFailed)
    }
}
