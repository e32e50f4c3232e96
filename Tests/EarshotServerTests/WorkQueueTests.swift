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

    @Test("turns of a client whose turns were long let others of the machine go first, and those of no other")
    func yielding() async throws {
        let clock = ManualClock()
        let queue = WorkQueue(width: 2, limit: 3, clock: clock.clock)
        func turn(of client: String, lasting seconds: Double) async throws -> Bool {
            try await WorkOwner.$current.withValue(WorkOwner(client: client)) {
                try await queue.perform { () throws(EarshotError) in
                    clock.advance(by: seconds)
                    return WorkQueue.turnYields
                }
            }
        }
        #expect(try await turn(of: "hog", lasting: 5) == false)
        #expect(try await turn(of: "hog", lasting: 0) == true)
        #expect(try await turn(of: "short", lasting: 0.1) == false)
        #expect(try await turn(of: "short", lasting: 0.1) == false)
        #expect(WorkQueue.turnYields == false)
        let background = WorkQueue(width: 1, limit: 1, yields: true)
        #expect(try await background.perform { () throws(EarshotError) in WorkQueue.turnYields })
    }

    @Test("a client that uses more than others lets them go first, however short its turns are, and alone it does not")
    func heavy() async throws {
        let clock = ManualClock()
        let queue = WorkQueue(width: 2, limit: 3, clock: clock.clock)
        func turn(of client: String, lasting seconds: Double) async throws -> Bool {
            try await WorkOwner.$current.withValue(WorkOwner(client: client)) {
                try await queue.perform { () throws(EarshotError) in
                    clock.advance(by: seconds)
                    return WorkQueue.turnYields
                }
            }
        }
        for _ in 0..<20 { #expect(try await turn(of: "hog", lasting: 0.5) == false) }
        #expect(try await turn(of: "light", lasting: 0.5) == false)
        #expect(try await turn(of: "hog", lasting: 0.5) == true)
        #expect(try await turn(of: "light", lasting: 0.5) == false)
        clock.advance(by: 11)
        #expect(try await turn(of: "hog", lasting: 0.5) == false)
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
        try await gate.serve(WorkOwner(client: "one")) {
            #expect(WorkOwner.current == WorkOwner(client: "one"))
            try await gate.serve(WorkOwner(client: "other")) {}
            do {
                try await gate.serve(WorkOwner(client: "one")) {}
                Issue.record("it was let in")
            } catch let error as EarshotError {
                #expect(error.code == .tooManyRequests)
            }
        }
        try await gate.serve(WorkOwner(client: "one")) {}
    }

    @Test("one user of a client leaves room for the others")
    func users() async throws {
        let gate = ConcurrencyLimiter(limit: 16)
        let alice = WorkOwner(client: "app", user: "alice")
        let ends = AsyncStream.makeStream(of: Void.self)
        let (begun, holding) = (OrderedNames(), ends.stream)
        /// Requests that are under way until the stream ends.
        func hold(_ owner: WorkOwner, _ count: Int) async -> [Task<Void, any Error>] {
            let before = begun.all.count
            let tasks = (0..<count).map { _ in
                Task {
                    try await gate.serve(owner) {
                        begun.append(owner.client)
                        for await _ in holding {}
                    }
                }
            }
            await until { begun.all.count == before + count }
            return tasks
        }
        var tasks = await hold(alice, 4)
        let error = await #expect(throws: EarshotError.self) { try await gate.serve(alice) {} }
        #expect(error?.code == .tooManyRequests && error?.message.contains("this user") == true)
        try await gate.serve(WorkOwner(client: "app", user: "bob")) {}
        // The app's own requests are nobody's.
        tasks += await hold(WorkOwner(client: "app"), 12)
        await #expect(throws: EarshotError.self) { try await gate.serve(WorkOwner(client: "app")) {} }
        for task in tasks { task.cancel() }
        ends.continuation.finish()
        for task in tasks { _ = await task.result }
        try await gate.serve(alice) {}
    }

    // MARK: - Shares

    /// Work of an owner that waits for a latch, and says when it has begun.
    private func work(_ queue: WorkQueue, _ owner: WorkOwner, _ latch: Latch, _ order: OrderedNames) -> Task<
        Bool, Never
    > {
        Task {
            await WorkOwner.$current.withValue(owner) {
                do throws(EarshotError) {
                    try await queue.run { () throws(EarshotError) in
                        order.append(owner.user ?? owner.client)
                        latch.wait()
                    }
                    return true
                } catch {
                    return false
                }
            }
        }
    }

    private final class OrderedNames: Sendable {
        private let names = Mutex<[String]>([])
        func append(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    private func until(_ condition: @Sendable () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("however many one client sends, another waits for one of its turns and not for all")
    func fairness() async throws {
        let clock = ManualClock()
        // Turns are long, so that nobody runs beside them.
        let queue = WorkQueue(width: 1, limit: 64, shortTurn: 0, clock: clock.clock)
        let (latch, order) = (Latch(), OrderedNames())
        var tasks = [work(queue, WorkOwner(client: "hog"), latch, order)]
        await until { queue.load.running == 1 }
        for number in 1...12 {
            tasks.append(work(queue, WorkOwner(client: "hog"), latch, order))
            await until { queue.load.waiting == number }
        }
        for number in 1...3 {
            tasks.append(work(queue, WorkOwner(client: "good"), latch, order))
            await until { queue.load.waiting == 12 + number }
        }
        for number in 1...16 {
            await until { order.all.count == number }
            clock.advance(by: 1)
            latch.open(1)
        }
        for task in tasks { #expect(await task.value) }
        // By turns while both wait.
        #expect(order.all.prefix(7).count { $0 == "good" } == 3)
    }

    @Test("users of a client take turns as clients do")
    func userFairness() async throws {
        let clock = ManualClock()
        let queue = WorkQueue(width: 1, limit: 64, shortTurn: 0, clock: clock.clock)
        let (latch, order) = (Latch(), OrderedNames())
        func owner(_ user: String) -> WorkOwner { WorkOwner(client: "app", user: user) }
        var tasks = [work(queue, owner("mallory"), latch, order)]
        await until { queue.load.running == 1 }
        for (number, user) in (["mallory", "mallory", "mallory", "mallory", "bob", "bob"]).enumerated() {
            tasks.append(work(queue, owner(user), latch, order))
            await until { queue.load.waiting == number + 1 }
        }
        for number in 1...7 {
            await until { order.all.count == number }
            clock.advance(by: 1)
            latch.open(1)
        }
        for task in tasks { _ = await task.value }
        #expect(order.all.prefix(5).count { $0 == "bob" } == 2)
    }

    @Test("a client whose turns are short does not wait for the long ones of others")
    func short() async throws {
        let queue = WorkQueue(width: 2, limit: 8)
        let (latch, order) = (Latch(), OrderedNames())
        let hogs = (0..<4).map { _ in work(queue, WorkOwner(client: "hog"), latch, order) }
        await until { queue.load == (2, 2) }
        // Of one client that has nothing under way.
        let good = work(queue, WorkOwner(client: "good"), latch, order)
        await until { queue.load.running == 3 }
        // No more than one.
        let second = work(queue, WorkOwner(client: "good"), latch, order)
        await until { queue.load.waiting == 3 }
        latch.open(6)
        for task in hogs + [good, second] { #expect(await task.value) }
    }

    @Test("a full queue gives a place of whoever has most to whoever has fewer")
    func displacing() async throws {
        let queue = WorkQueue(width: 1, limit: 4, shortTurn: 0)
        let (latch, order) = (Latch(), OrderedNames())
        let first = work(queue, WorkOwner(client: "hog"), latch, order)
        await until { queue.load.running == 1 }
        var hogs: [Task<Bool, Never>] = []
        for number in 1...4 {
            hogs.append(work(queue, WorkOwner(client: "hog"), latch, order))
            await until { queue.load.waiting == number }
        }
        #expect(throws: EarshotError.self) { try queue.check(for: WorkOwner(client: "hog")) }
        try queue.check(for: WorkOwner(client: "good"))
        let good = work(queue, WorkOwner(client: "good"), latch, order)
        // The last one that came.
        #expect(await hogs[3].value == false)
        #expect(queue.load.waiting == 4)
        latch.open(5)
        #expect(await good.value)
        for task in [first] + hogs.prefix(3) { #expect(await task.value) }
    }

    @Test("a client has no more than its share of turns where there is one")
    func clientLimit() async throws {
        let queue = WorkQueue(width: 4, limit: 8, clientLimit: 2)
        let (latch, order) = (Latch(), OrderedNames())
        let tasks = (0..<4).map { _ in work(queue, WorkOwner(client: "hog"), latch, order) }
        await until { queue.load == (2, 2) }
        let good = work(queue, WorkOwner(client: "good"), latch, order)
        await until { queue.load.running == 3 }
        latch.open(5)
        for task in tasks + [good] { #expect(await task.value) }
        #expect(queue.load == (0, 0))
    }
}
