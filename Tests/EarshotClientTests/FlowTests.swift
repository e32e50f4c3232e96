import EarshotCore
@testable import EarshotMusic
import EarshotRecognition
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Flow of requests")
struct FlowTests {
    @Test("At the cap the next is refused at once", .requirements("R-MC-217"))
    func refused() {
        let gate = RequestLimiter()
        #expect(gate.capacity == 5)
        for _ in 0..<5 { #expect(gate.tryEnter()) }
        #expect(!gate.tryEnter())
        gate.leave()
        #expect(gate.tryEnter())
        #expect(gate.count == 5)
    }

    @Test("Who is above is told to stop and to go on", .requirements("R-MC-218"))
    func signals() async {
        let gate = RequestLimiter(capacity: 2)
        var signals = gate.signals.makeAsyncIterator()
        #expect(await signals.next() == .go)
        #expect(gate.tryEnter() && gate.tryEnter())
        #expect(await signals.next() == .stop)
        gate.leave()
        #expect(await signals.next() == .go)
        #expect(gate.tryEnter())
        #expect(await signals.next() == .stop)
    }

    @Test("Who waits enters in the order of coming, and may give up")
    func waiting() async throws {
        let gate = RequestLimiter(capacity: 1)
        #expect(gate.tryEnter())
        let quitter = Task { () async -> EarshotError.Code? in
            do throws(EarshotError) {
                try await gate.enter()
                return nil
            } catch {
                return error.code
            }
        }
        quitter.cancel()
        #expect(await quitter.value == .cancelled)
        let waiter = Task { try await gate.enter() }
        gate.leave()
        try await waiter.value
        #expect(gate.count == 1 && !gate.tryEnter())
        gate.leave()
        #expect(gate.count == 0)
    }

    @Test("The gate never lets in too many, whatever comes", .requirements("R-MC-215"))
    func bounded() async throws {
        let (gate, inside) = (RequestLimiter(capacity: 3), Collector<Int>())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await gate.enter()
                    inside.add(gate.count)
                    await Task.yield()
                    gate.leave()
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.all.count == 100 && inside.all.allSatisfy { $0 <= 3 })
        #expect(gate.count == 0)
    }

    // MARK: - Pages

    private static func fetch(_ calls: Collector<[Int]>, total: Int) -> ResultPager.Fetch {
        { offset, limit throws(EarshotError) in
            calls.add([offset, limit])
            return (offset..<max(offset, min(offset + limit, total))).map { MusicMatch("t\($0)") }
        }
    }

    @Test(
        "Five to a page, three pages held, the neighbours fetched before",
        .requirements("R-MC-219", "R-MC-220", "R-MC-221", "R-MC-222")
    )
    func pages() async throws {
        let calls = Collector<[Int]>()
        let pager = ResultPager(fetch: Self.fetch(calls, total: 23))
        let first = try await pager.current()
        #expect(first.map(\.track.id) == ["t0", "t1", "t2", "t3", "t4"])
        var seen = [0]
        while try await pager.next() != nil {
            seen.append(await pager.index)
            let (held, index) = (await pager.heldPages, await pager.index)
            #expect(held.count <= 3 && held.allSatisfy { abs($0 - index) <= 1 })
        }
        #expect(seen == [0, 1, 2, 3, 4])
        // Each page was fetched once, with five results.
        #expect(Set(calls.all) == Set((0..<5).map { [$0 * 5, 5] }))
        #expect(calls.all.count == 5)
        let back = try await pager.previous()
        #expect(back?.first?.track.id == "t15")
        #expect(await pager.heldPages == [2, 3, 4])
    }

    @Test("A move to a page that was fetched before waits for nothing", .requirements("R-MC-222", "R-MC-219"))
    func fetchedBefore() async throws {
        let (barrier, calls) = (Barrier(), Collector<Int>())
        let pager = ResultPager { offset, limit throws(EarshotError) in
            calls.add(offset / limit)
            // The third page and all behind it never come while the test goes on.
            if offset >= 2 * limit { await barrier.pass() }
            return (offset..<offset + limit).map { MusicMatch("t\($0)") }
        }
        _ = try await pager.current()
        #expect(await pager.heldPages == [0, 1])
        #expect(try await pager.next()?.first?.track.id == "t5")
        // The page behind it is asked for although nobody has gone there.
        await barrier.arrivals(1)
        #expect(await pager.heldPages == [0, 1, 2])
        #expect(try await pager.previous()?.first?.track.id == "t0")
        #expect(calls.all.sorted() == [0, 1, 2])
        barrier.open()
    }

    @Test("There is nothing before the first page and behind the last")
    func ends() async throws {
        for total in [0, 3, 5] {
            let pager = ResultPager(fetch: Self.fetch(Collector(), total: total))
            let page = try await pager.current()
            #expect(page.count == total)
            let (previous, next) = (try await pager.previous(), try await pager.next())
            #expect(previous == nil && next == nil)
            #expect(await pager.index == 0)
        }
    }

    @Test("A page that failed is fetched again")
    func failing() async throws {
        let fails = Mutex(true)
        let pager = ResultPager { _, _ throws(EarshotError) in
            if fails.withLock({ $0 }) { throw EarshotError(.networkUnavailable, "Away.") }
            return [MusicMatch("t0")]
        }
        await #expect(throws: EarshotError.self) { try await pager.current() }
        fails.withLock { $0 = false }
        let page = try await pager.current()
        #expect(page.count == 1)
    }

    @Test("The page and the cap are both five", .requirements("R-MC-225"))
    func agreement() {
        #expect(ResultPager.pageSize == 5)
        #expect(RecognitionClient.Policy().runningLimit == 5)
        #expect(RequestLimiter().capacity == 5)
    }

    @Test("A query that stalls ends at the limit of the app", .requirements("R-MC-213"))
    func timer() async throws {
        let clock = ManualClock()
        let barrier = Barrier()
        barrier.open()
        let service = FakeService { _, _ throws(EarshotError) in
            await barrier.pass()
            // A step that comes to its end only when it is no longer wanted, and then with an answer.
            while !Task.isCancelled { await Task.yield() }
            return [MusicMatch("t1")]
        }
        var policy = RecognitionClient.Policy()
        policy.queryLimit = MediaTime(value: 4, timescale: 1)
        let client = RecognitionClient(service: service, policy: policy, clock: clock.clock)
        let operation = client.begin(.track("t1"), try ClientConfiguration(clientIdentifier: ServiceServer.identifier))
        await barrier.arrivals(1)
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: 5)
        let error = await Trace(operation).failure
        #expect(error?.code == .timedOut && error?.failureKind == .networkUnavailable)
    }
}
