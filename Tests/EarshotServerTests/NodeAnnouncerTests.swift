import EarshotCore
import EarshotNodes
import Synchronization
import TestSupport
import Testing

@testable import EarshotServer

@Suite("A node that announces itself", .timeLimit(.minutes(1)))
struct NodeAnnouncerTests {
    /// Notes what it is told.
    private final class Register: NodeRegister {
        struct State {
            var announced: [(record: NodeRecord, seconds: Double)] = []
            var left: [NodeID] = []
            var isDraining = false
        }
        let state = Mutex(State())

        func announce(_ record: NodeRecord, seconds: Double) async throws(EarshotError) -> Bool {
            state.withLock { state in
                state.announced.append((record, seconds))
                return state.isDraining
            }
        }
        func setDraining(_ isDraining: Bool, of node: NodeID) async throws(EarshotError) -> Bool {
            state.withLock { $0.isDraining = isDraining }
            return true
        }
        func leave(_ node: NodeID) async throws(EarshotError) {
            // As a database does in a task that was canceled.
            if Task.isCancelled { throw EarshotError(.cancelled, "The task was canceled.") }
            state.withLock { $0.left.append(node) }
        }
        func nodes() async throws(EarshotError) -> [NodeRecord] {
            state.withLock { $0.announced.last.map { [$0.record] } ?? [] }
        }
        func places() async throws(EarshotError) -> Set<PlaceID>? { [] }
    }

    @Test("it says each 5 seconds that it lives, that it is about to end, and leaves at its end")
    func announcing() async throws {
        let (clock, register, shutdown) = (ManualClock(), Register(), ShutdownFlag())
        let node = NodeID(rawValue: "node-a")
        let announcer = NodeAnnouncer(
            register: register,
            record: NodeRecord(id: node, name: "host"),
            generation: { 7 },
            work: NodeWork(),
            shutdown: shutdown,
            logger: TestService.silentLogger,
            clock: clock.clock
        )
        let running = Task { await announcer.run() }
        for count in 1...3 {
            while clock.sleeperCount == 0 { await Task.yield() }
            #expect(register.state.withLock { $0.announced.count } == count)
            if count == 2 { shutdown.raise() }
            clock.advance(by: 5)
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        #expect(register.state.withLock { $0.announced.map(\.record.isDraining) } == [false, false, true, true])
        #expect(
            register.state.withLock {
                $0.announced.allSatisfy { $0.seconds == 15 && $0.record.id == node && $0.record.generation == 7 }
            }
        )
        #expect(register.state.withLock { $0.left }.isEmpty)
        running.cancel()
        await running.value
        #expect(register.state.withLock { $0.left } == [node])
    }

    @Test("a node that is asked to begins no more work, says how much is under way, and begins work again")
    func draining() async throws {
        let (clock, register, work) = (ManualClock(), Register(), NodeWork())
        let node = NodeID(rawValue: "node-a")
        let load = Mutex(2)
        let announcer = NodeAnnouncer(
            register: register,
            record: NodeRecord(id: node, name: "host"),
            work: work,
            load: { load.withLock(\.self) },
            shutdown: ShutdownFlag(),
            logger: TestService.silentLogger,
            clock: clock.clock
        )
        let running = Task { await announcer.run() }
        func next() async {
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 5)
            while clock.sleeperCount == 0 { await Task.yield() }
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        #expect(work.begin())
        _ = try await register.setDraining(true, of: node)
        await next()
        // At once, and not after the next 5 s.
        #expect(register.state.withLock { $0.announced.map(\.record.isDraining) } == [false, false, true])
        #expect(register.state.withLock { $0.announced.last?.record.work } == 3)
        #expect(work.isDraining && !work.begin())
        work.end()
        load.withLock { $0 = 0 }
        await next()
        #expect(register.state.withLock { $0.announced.last?.record.isDrained } == true)
        _ = try await register.setDraining(false, of: node)
        await next()
        #expect(!work.isDraining && work.begin())
        running.cancel()
        await running.value
    }

    @Test("it tells where it searches once it does, and each time looks which nodes live")
    func others() async throws {
        let (clock, register) = (ManualClock(), Register())
        let node = NodeID(rawValue: "node-a")
        let address = Mutex<String?>(nil)
        let seen = Mutex<[[NodeRecord]]>([])
        let announcer = NodeAnnouncer(
            register: register,
            record: NodeRecord(id: node, name: "host", cacheBytes: 7),
            address: { address.withLock(\.self) },
            others: { nodes in seen.withLock { $0.append(nodes) } },
            work: NodeWork(),
            shutdown: ShutdownFlag(),
            logger: TestService.silentLogger,
            clock: clock.clock
        )
        let running = Task { await announcer.run() }
        while clock.sleeperCount == 0 { await Task.yield() }
        address.withLock { $0 = "10.0.0.3:7100" }
        clock.advance(by: 5)
        while clock.sleeperCount == 0 { await Task.yield() }
        running.cancel()
        await running.value
        let told = seen.withLock(\.self)
        #expect(told.map { $0.map(\.address) } == [[nil], ["10.0.0.3:7100"]])
        #expect(told.allSatisfy { $0.map(\.cacheBytes) == [7] })
    }
}
