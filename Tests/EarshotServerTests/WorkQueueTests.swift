import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Work with an end to its queue")
struct WorkQueueTests {
    /// Lets work wait until it is told to go on.
    private final class Latch: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func wait() { semaphore.wait() }
        func open(_ count: Int) { for _ in 0..<count { semaphore.signal() } }
    }

    @Test("so much runs, so much waits, and the rest is refused at once")
    func limits() async throws {
        let queue = WorkQueue(width: 2, limit: 3)
        let latch = Latch()
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    do throws(EarshotError) {
                        try await queue.run { () throws(EarshotError) in latch.wait() }
                        return true
                    } catch {
                        return false
                    }
                }
            }
            while queue.load.running + queue.load.waiting < 5 { await Task.yield() }
            #expect(queue.load == (2, 3))
            await #expect(throws: EarshotError.self) { try await queue.run { () throws(EarshotError) in } }
            latch.open(5)
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes == [true, true, true, true, true])
        #expect(queue.load == (0, 0))
        // After the rush it takes work again.
        #expect(try await queue.run { () throws(EarshotError) in 7 } == 7)
    }

    @Test("a refusal says that the service is busy")
    func refusal() async throws {
        let queue = WorkQueue(width: 1, limit: 0)
        let latch = Latch()
        async let running: Void = queue.run { () throws(EarshotError) in latch.wait() }
        while queue.load.running < 1 { await Task.yield() }
        do {
            try await queue.run { () throws(EarshotError) in }
            Issue.record("it was let in")
        } catch {
            #expect(error.code == .serviceBusy)
        }
        latch.open(1)
        try await running
    }

    @Test("whoever gives up while waiting leaves the queue, and the next one's turn comes")
    func givingUp() async throws {
        let queue = WorkQueue(width: 1, limit: 8)
        let latch = Latch()
        async let running: Void = queue.run { () throws(EarshotError) in latch.wait() }
        while queue.load.running < 1 { await Task.yield() }
        let given = Task { try await queue.run { () throws(EarshotError) in Issue.record("it ran") } }
        while queue.load.waiting < 1 { await Task.yield() }
        let patient = Task { try await queue.run { () throws(EarshotError) in 1 } }
        while queue.load.waiting < 2 { await Task.yield() }
        given.cancel()
        await #expect(throws: EarshotError.self) { try await given.value }
        latch.open(1)
        try await running
        #expect(try await patient.value == 1)
        #expect(queue.load == (0, 0))
    }

    @Test("any mix of work, failures and cancellations leaves the queue empty")
    func mixture() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("mix of work: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let queue = WorkQueue(
                width: Int.random(in: 1...4, using: &generator),
                limit: Int.random(in: 0...6, using: &generator)
            )
            let plan = (0..<30).map { _ in Int.random(in: 0...3, using: &generator) }
            await withTaskGroup(of: Void.self) { group in
                for kind in plan {
                    let task = Task {
                        try? await queue.run { () throws(EarshotError) in
                            if kind == 1 { throw EarshotError(.internalError, "on purpose") }
                        }
                    }
                    if kind == 2 { task.cancel() }
                    group.addTask { await task.value }
                }
            }
            #expect(queue.load == (0, 0), "seed \(seed)")
        }
    }

    @Test("a client has so many requests under way, and no more")
    func gate() async throws {
        let gate = ConcurrencyLimiter(limit: 1)
        try await gate.serve("one") {
            try await gate.serve("other") {}
            do {
                try await gate.serve("one") {}
                Issue.record("it was let in")
            } catch let error as EarshotError {
                #expect(error.code == .tooManyRequests)
            }
        }
        try await gate.serve("one") {}
    }
}
