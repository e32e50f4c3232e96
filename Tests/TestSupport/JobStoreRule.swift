import EarshotCore
package import EarshotNodes
import Foundation
import Testing

/// A rule that every store of jobs keeps: the suite of each store runs all of them.
package struct JobStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any JobStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any JobStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any JobStore) async throws { try await body(store) }

    static let a = NodeID(rawValue: "node-a")
    static let b = NodeID(rawValue: "node-b")
    static let here = PlaceID(rawValue: "here")
    static let there = PlaceID(rawValue: "there")

    static func order(
        _ id: String,
        _ owner: String = "ann",
        isFirst: Bool = false,
        place: PlaceID? = nil,
        queue: String = "job"
    ) -> JobOrder {
        JobOrder(queue: queue, id: id, kind: "add", owner: owner, isFirst: isFirst, place: place, input: ["id": id])
    }

    @discardableResult
    static func submit(_ store: any JobStore, _ order: JobOrder) async throws -> Job {
        try await store.submit(order, limits: JobLimits())
    }

    static func claim(
        _ store: any JobStore,
        _ node: NodeID = a,
        at place: PlaceID = here,
        seconds: Double = 60
    ) async throws -> Job? {
        try await store.claim(in: "job", for: node, at: place, seconds: seconds)
    }

    /// Takes jobs until there are none, and ends each.
    static func drain(_ store: any JobStore) async throws -> [String] {
        var ids: [String] = []
        while let job = try await claim(store) {
            ids.append(job.id)
            _ = try await store.finish(job, .done(nil))
        }
        return ids
    }

    /// All rules.
    package static let all = turns + holding + ending
}

extension JobStoreRule {
    private static let turns: [JobStoreRule] = [
        .init(name: "a job is kept as it was submitted, and listed with the latest first") { store in
            var order = order("1", place: here)
            order.input = ["name": "\u{0} '\"; -- 🦊", "url": ""]
            let first = try await submit(store, order)
            #expect(first == Job(order, created: first.created))
            let second = try await submit(store, Self.order("2", "bob"))
            try await submit(store, Self.order("1", queue: "other"))
            #expect(try await store.job("1", in: "job") == first)
            #expect(try await store.job("3", in: "job") == nil)
            #expect(try await store.jobs(in: "job", of: nil) == [second, first])
            #expect(try await store.jobs(in: "job", of: "bob") == [second])
            #expect(try await store.jobs(in: "other", of: nil).count == 1)
            let load = JobLoad(running: 0, waiting: 2, ownerWaiting: 1)
            #expect(try await store.load(of: "job", owner: "ann") == load)
            await #expect(throws: EarshotError.self) { try await submit(store, order) }
        },
        .init(name: "those that come first are taken before others, and owners take turns") { store in
            for number in 0..<4 { try await submit(store, order("ann-\(number)")) }
            for number in 0..<2 { try await submit(store, order("bob-\(number)", "bob")) }
            try await submit(store, order("check", "operator", isFirst: true))
            let first = try #require(try await claim(store))
            #expect(first.id == "check")
            _ = try await store.finish(first, .done(nil))
            #expect(try await claim(store)?.id == "ann-0")
            #expect(try await claim(store)?.id == "bob-0")
            #expect(try await claim(store)?.id == "ann-1")
            // Whoever comes now begins in the next round, and nobody's jobs of before wait for all of the newcomer's.
            for number in 0..<2 { try await submit(store, order("eve-\(number)", "eve")) }
            #expect(try await drain(store) == ["bob-1", "ann-2", "eve-0", "ann-3", "eve-1"])
        },
        .init(name: "no more jobs wait than may, in all and of an owner, however many are submitted at once") { store in
            let limits = JobLimits(waiting: 7, ownerWaiting: 3)
            func accepted(_ owners: [String]) async -> [String: Int] {
                await withTaskGroup(of: String?.self) { group in
                    for (number, owner) in owners.enumerated() {
                        group.addTask {
                            do {
                                _ = try await store.submit(order("\(owner)-\(number)", owner), limits: limits)
                                return owner
                            } catch let error as EarshotError {
                                return error.code == .tooManyRequests || error.code == .serviceBusy ? nil : "\(error)"
                            } catch {
                                return "\(error)"
                            }
                        }
                    }
                    return await group.reduce(into: [:]) { if let owner = $1 { $0[owner, default: 0] += 1 } }
                }
            }
            #expect(await accepted(Array(repeating: "ann", count: 12)) == ["ann": 3])
            #expect(await accepted(["bob", "eve", "eve", "eve", "eve", "eve"]) == ["bob": 1, "eve": 3])
            let busy = await #expect(throws: EarshotError.self) {
                _ = try await store.submit(order("late", "late"), limits: limits)
            }
            #expect(busy?.code == .serviceBusy)
            _ = try await store.submit(order("check", "operator", isFirst: true), limits: limits)
            #expect(try await store.load(of: "job", owner: nil).waiting == 8)
            // One that runs waits no more.
            #expect(try await claim(store)?.id == "check")
            #expect(try await claim(store)?.order.owner == "ann")
            _ = try await store.submit(order("again"), limits: limits)
            let many = await #expect(throws: EarshotError.self) {
                _ = try await store.submit(order("more"), limits: limits)
            }
            #expect(many?.code == .serviceBusy)
        },
        .init(name: "each job is taken once, however many nodes take jobs at once") { store in
            for number in 0..<24 { try await submit(store, order("\(number)", "owner-\(number % 3)")) }
            let taken = try await withThrowingTaskGroup(of: Job?.self) { group in
                for number in 0..<36 {
                    group.addTask { try await claim(store, NodeID(rawValue: "node-\(number)")) }
                }
                return try await group.reduce(into: [Job]()) { if let job = $1 { $0.append(job) } }
            }
            let left = try await drain(store)
            // A store may pass over a job that another node just looks at.
            #expect((taken.map(\.id) + left).sorted() == (0..<24).map { "\($0)" }.sorted())
        },
        .init(name: "a job that needs a folder is left for the node that has it") { store in
            try await submit(store, order("1", place: there))
            try await submit(store, order("2", place: here))
            try await submit(store, order("3"))
            #expect(try await claim(store, at: here)?.id == "2")
            #expect(try await claim(store, at: here)?.id == "3")
            #expect(try await claim(store, at: here) == nil)
            #expect(try await claim(store, b, at: there)?.id == "1")
        },
    ]

    private static let holding: [JobStoreRule] = [
        .init(name: "one node holds a job, prolongs its lease and tells how far it is") { store in
            try await submit(store, order("1"))
            let job = try #require(try await claim(store))
            #expect(job.state == .running && job.lease?.holder == a && job.lease?.fence == 1)
            #expect(try await claim(store, b) == nil)
            #expect(try await store.load(of: "job", owner: nil) == JobLoad(running: 1))
            let prolonged = try #require(try await store.prolong(job, progress: 0.5, seconds: 60))
            #expect(prolonged.progress == 0.5 && !prolonged.isCancelled)
            #expect(try await store.prolong(job, progress: 0.25, seconds: 60)?.progress == 0.5)
            #expect(try await store.job("1", in: "job")?.progress == 0.5)
            let done = try #require(try await store.finish(job, .done("what came\u{0}")))
            #expect(done.state == .done && done.progress == 1 && done.result == "what came\u{0}" && done.lease == nil)
            #expect(done.finished.map { $0 >= done.created } == true)
            #expect(try await store.job("1", in: "job") == done)
            #expect(try await store.finish(job, .cancelled) == nil)
            #expect(try await store.prolong(job, progress: 1, seconds: 60) == nil)
            #expect(try await claim(store) == nil)
        },
        .init(name: "a job whose lease has ended is taken by another node, and its holder of before has no say") {
            store in
            try await submit(store, order("1"))
            let dead = try #require(try await claim(store, seconds: 0.02))
            var taken: Job?
            while taken == nil { taken = try await claim(store, b) }
            #expect(taken?.id == "1" && taken?.lease?.holder == b && taken?.lease?.fence == 2 && taken?.progress == 0)
            #expect(try await store.prolong(dead, progress: 1, seconds: 60) == nil)
            #expect(try await store.finish(dead, .done("twice")) == nil)
            try await store.release(dead)
            let job = try #require(try await store.job("1", in: "job"))
            #expect(job.state == .running && job.lease?.holder == b)
            #expect(try await claim(store) == nil)
            let failure = Job.Failure(code: "readFailed", message: "It cannot be read.\u{0}")
            let second = try #require(taken)
            let failed = try #require(try await store.finish(second, .failed(failure)))
            #expect(failed.state == .failed && failed.failure == failure)
        },
        .init(name: "a node that takes a job again is not its holder of before") { store in
            try await submit(store, order("1"))
            let first = try #require(try await claim(store, seconds: 0.02))
            var second: Job?
            while second == nil { second = try await claim(store) }
            #expect(try await store.finish(first, .done(nil)) == nil)
            let again = try #require(second)
            #expect(try await store.finish(again, .done(nil)) != nil)
        },
        .init(name: "a job that is put back begins again before others of its owner") { store in
            for number in 0..<3 { try await submit(store, order("\(number)")) }
            let job = try #require(try await claim(store))
            _ = try await store.prolong(job, progress: 0.5, seconds: 60)
            try await store.release(job)
            let waiting = try #require(try await store.job("0", in: "job"))
            #expect(waiting.state == .waiting && waiting.progress == 0 && waiting.lease == nil)
            #expect(try await drain(store) == ["0", "1", "2"])
        },
    ]

    private static let ending: [JobStoreRule] = [
        .init(name: "a job that waits is given up at once") { store in
            try await submit(store, order("1"))
            let job = try #require(try await store.cancel("1", in: "job"))
            #expect(job.state == .cancelled && job.finished != nil)
            #expect(try await claim(store) == nil)
            // What is over stays as it is.
            #expect(try await store.cancel("1", in: "job") == job)
            #expect(try await store.cancel("2", in: "job") == nil)
        },
        .init(name: "the holder of a job is told that it is to give it up") { store in
            try await submit(store, order("1"))
            let job = try #require(try await claim(store))
            let marked = try #require(try await store.cancel("1", in: "job"))
            #expect(marked.state == .running && marked.isCancelled)
            #expect(try await store.prolong(job, progress: 0, seconds: 60)?.isCancelled == true)
            #expect(try await store.finish(job, .cancelled)?.state == .cancelled)
        },
        .init(name: "a job that is to be given up and whose holder is gone is ended by any node") { store in
            try await submit(store, order("1", place: there))
            _ = try #require(try await claim(store, at: there, seconds: 0.02))
            _ = try await store.cancel("1", in: "job")
            while try await store.job("1", in: "job")?.state == .running {
                #expect(try await claim(store, b, at: here) == nil)
            }
            #expect(try await store.job("1", in: "job")?.state == .cancelled)
            // Also one that its holder put back.
            try await submit(store, order("2"))
            let job = try #require(try await claim(store))
            _ = try await store.cancel("2", in: "job")
            try await store.release(job)
            #expect(try await claim(store, b) == nil)
            #expect(try await store.job("2", in: "job")?.state == .cancelled)
        },
        .init(name: "jobs that need a folder which no node has are failed, unless a node holds them or they are new") {
            store in
            for (id, place) in [("1", there), ("2", here), ("3", there), ("4", nil)] as [(String, PlaceID?)] {
                try await submit(store, order(id, place: place))
            }
            let held = try #require(try await claim(store, at: there))
            let failure = Job.Failure(code: "assetUnavailable", message: "Its folder is gone.")
            func failed(_ age: Double, _ places: Set<PlaceID>) async throws -> [String] {
                try await store.fail(in: "job", exceptAt: places, olderThan: age, failure).map(\.id)
            }
            #expect(held.id == "1")
            #expect(try await failed(3_600, [here]) == [])
            #expect(try await failed(0, [here, there]) == [])
            #expect(try await failed(0, [here]) == ["3"])
            let lost = try #require(try await store.job("3", in: "job"))
            #expect(lost.state == .failed && lost.failure == failure && lost.finished != nil)
            #expect(try await store.load(of: "job", owner: nil) == JobLoad(running: 1, waiting: 2))
            // The node that held it is gone as well.
            _ = try await store.prolong(held, progress: 0, seconds: 0)
            #expect(try await failed(0, []).sorted() == ["1", "2"])
            #expect(try await drain(store) == ["4"])
        },
        .init(name: "jobs of another store are taken in once: those that are over are listed, others wait") { store in
            let failure = Job.Failure(code: "readFailed", message: "No.")
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            let over = Job(order("over"), created: date).ended(.failed(failure), at: date + 5)
            var running = Job(order("running", place: there), created: date + 1)
            (running.state, running.progress) = (.running, 0.5)
            let waiting = Job(order("waiting"), created: date + 2)
            for _ in 0..<2 { for job in [over, running, waiting] { try await store.adopt(job) } }
            #expect(try await store.jobs(in: "job", of: nil).map(\.id) == ["waiting", "running", "over"])
            #expect(try await store.job("over", in: "job") == over)
            #expect(try await store.job("waiting", in: "job") == waiting)
            #expect(try await claim(store, at: here)?.id == "waiting")
            #expect(try await claim(store, at: there)?.id == "running")
            try await store.adopt(waiting)
            #expect(try await store.load(of: "job", owner: nil) == JobLoad(running: 2))
        },
        .init(name: "only jobs that are over are forgotten") { store in
            for id in ["1", "2"] { try await submit(store, order(id)) }
            let job = try #require(try await claim(store))
            for id in ["1", "2", "3"] { try await store.forget(id, in: "job") }
            #expect(try await store.jobs(in: "job", of: nil).map(\.id) == ["2", "1"])
            _ = try await store.finish(job, .done(nil))
            try await store.forget("1", in: "job")
            #expect(try await store.jobs(in: "job", of: nil).map(\.id) == ["2"])
        },
        .init(name: "of jobs that are over the latest are remembered, of each owner and of all") { store in
            for number in 0..<4 { try await submit(store, order("ann-\(number)")) }
            for number in 0..<3 { try await submit(store, order("bob-\(number)", "bob")) }
            #expect(try await drain(store).count == 7)
            try await submit(store, order("open"))
            try await submit(store, order("other", queue: "other"))
            func ids() async throws -> Set<String> { Set(try await store.jobs(in: "job", of: nil).map(\.id)) }
            try await store.trim("job", owner: "ann", limits: JobLimits(memory: 9, ownerMemory: 3))
            #expect(try await ids() == ["ann-1", "ann-2", "ann-3", "bob-0", "bob-1", "bob-2", "open"])
            // They ended in turns.
            try await store.trim("job", owner: "ann", limits: JobLimits(memory: 4, ownerMemory: 3))
            #expect(try await ids() == ["ann-2", "ann-3", "bob-1", "bob-2", "open"])
            try await store.trim("job", owner: "bob", limits: JobLimits(memory: 4, ownerMemory: 0))
            #expect(try await ids() == ["ann-2", "ann-3", "open"])
            #expect(try await store.jobs(in: "other", of: nil).count == 1)
        },
    ]
}
