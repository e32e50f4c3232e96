import EarshotCore
import EarshotMonitor
import TestSupport
import Testing

/// The state machine as a table, against the scheduler: each event in each state, with and without the service, with the
/// gate for changes open and closed.
@Suite("States and events")
struct SchedulerTableTests {
    typealias State = QueryScheduler.State
    typealias Event = QueryScheduler.Event

    struct Cell: Sendable {
        var state: State
        var event: Event
        var cacheOnly: Bool
        var isGateOpen: Bool
    }

    /// What a cell promises: the next state, what waits then, and what is done.
    struct Promise: Equatable {
        var state: State
        var pending: QueryScheduler.Pending?
        var restarts = false
        var upgrades: LookupTrigger?
        var outcome: QueryScheduler.Outcome?
        var begins: LookupTrigger?
    }

    static let cells: [Cell] = {
        var cells: [Cell] = []
        for cacheOnly in [false, true] {
            for isGateOpen in [false, true] {
                let both: [State] =
                    cacheOnly
                    ? [] : [.fingerprinting(.localThenOnline), .searchingLocal(.localThenOnline), .searchingOnline]
                let states: [State] =
                    [.stopped, .waiting, .fingerprinting(.localOnly), .searchingLocal(.localOnly)] + both
                for state in states {
                    for event in Event.allCases {
                        cells.append(Cell(state: state, event: event, cacheOnly: cacheOnly, isGateOpen: isGateOpen))
                    }
                }
            }
        }
        return cells
    }()

    /// A scheduler that was brought into a state. Its delay is 60 s from second 30 on; the instant after is given back too.
    static func scheduler(in cell: Cell) -> (QueryScheduler, now: Int64) {
        var properties = MonitorProperties()
        (properties.onlineInterval, properties.localInterval) = (0, 0)
        (properties.noMatchLimit, properties.cacheOnly) = (1, cell.cacheOnly)
        var scheduler = QueryScheduler(properties)
        func tell(_ event: Event, _ at: Int64) { _ = scheduler.handle(event, at: MediaTime(value: at, timescale: 1)) }
        if cell.state == .stopped { return (scheduler, 10) }
        tell(.start, 0)
        tell(.fingerprintReady, 4)
        tell(.localMiss, 29)
        if !cell.cacheOnly { tell(.onlineMiss, 30) }
        // The gate opens at 89 or 90.
        let now: Int64 = cell.isGateOpen ? 95 : 40
        let wantsLocal = [.fingerprinting(.localOnly), .searchingLocal(.localOnly)].contains(cell.state)
        guard cell.state != .waiting else { return (scheduler, now) }
        if wantsLocal, !cell.cacheOnly {
            var timed = properties
            timed.localInterval = Int(now) - 2 - 30
            // The local timer runs out two seconds before.
            _ = scheduler.set(timed, at: MediaTime(value: now - 3, timescale: 1))
            tell(.time, now - 2)
            _ = scheduler.set(properties, at: MediaTime(value: now - 2, timescale: 1))
        } else {
            tell(.manual, now - 2)
        }
        switch cell.state {
        case .searchingLocal: tell(.fingerprintReady, now - 1)
        case .searchingOnline:
            tell(.fingerprintReady, now - 1)
            tell(.localMiss, now - 1)
        default: break
        }
        return (scheduler, now)
    }

    static func promise(_ cell: Cell) -> Promise {
        let both: LookupKind = cell.cacheOnly ? .localOnly : .localThenOnline
        let miss = Promise(state: .waiting, outcome: .countedMiss(inARow: 2))
        let unchanged = Promise(state: cell.state)
        switch (cell.event, cell.state) {
        case (.start, .stopped): return Promise(state: .fingerprinting(both), begins: .start)
        case (.start, _): return unchanged
        case (.stop, _): return Promise(state: .stopped)
        case (.time, _), (_, .stopped): return unchanged

        case (.transition, .waiting) where cell.isGateOpen:
            return Promise(state: .fingerprinting(both), begins: .transition)
        case (.transition, .waiting): return Promise(state: .waiting, pending: .transition)
        case (.transition, .fingerprinting(.localOnly)) where !cell.isGateOpen:
            return Promise(state: cell.state, pending: .transition)
        case (.transition, .fingerprinting(.localOnly)):
            return Promise(
                state: .fingerprinting(both),
                restarts: true,
                upgrades: cell.cacheOnly ? nil : .transition
            )
        case (.transition, .fingerprinting(.localThenOnline)): return Promise(state: cell.state, restarts: true)
        case (.transition, _): return Promise(state: cell.state, pending: .transition)

        case (.manual, .waiting): return Promise(state: .fingerprinting(both), begins: .manual)
        case (.manual, .fingerprinting(.localOnly)) where !cell.cacheOnly:
            return Promise(state: .fingerprinting(.localThenOnline), upgrades: .manual)
        case (.manual, .fingerprinting): return unchanged
        case (.manual, _): return Promise(state: cell.state, pending: .manual)

        case (.fingerprintReady, .fingerprinting(let kind)): return Promise(state: .searchingLocal(kind))
        case (.fingerprintFailed, .fingerprinting(.localOnly)) where !cell.cacheOnly,
            (.localMiss, .searchingLocal(.localOnly)) where !cell.cacheOnly:
            return Promise(state: .waiting, outcome: .uncountedMiss)
        case (.fingerprintFailed, .fingerprinting), (.localMiss, .searchingLocal(.localOnly)),
            (.onlineMiss, .searchingOnline):
            return miss
        case (.localMiss, .searchingLocal(.localThenOnline)), (.error, .searchingLocal(.localThenOnline)):
            return Promise(state: .searchingOnline)
        case (.localHit, .searchingLocal), (.onlineHit, .searchingOnline):
            return Promise(state: .waiting, outcome: .match)
        case (.error, .fingerprinting), (.error, .searchingLocal), (.error, .searchingOnline):
            return Promise(state: .waiting, outcome: .error)
        default: return unchanged
        }
    }

    @Test(
        "Every cell is as written",
        .requirements("R-ACR-173", "R-ACR-145", "R-ACR-150", "R-ACR-151"),
        arguments: cells
    )
    func cell(_ cell: Cell) {
        var (scheduler, now) = Self.scheduler(in: cell)
        #expect(scheduler.state == cell.state, "prepared")
        let effects = scheduler.handle(cell.event, at: MediaTime(value: now, timescale: 1))
        var seen = Promise(state: scheduler.state, pending: scheduler.pending)
        for effect in effects {
            switch effect {
            case .restartFingerprint: seen.restarts = true
            case .upgrade(let trigger): seen.upgrades = trigger
            case .end(_, let outcome): seen.outcome = outcome
            case .beginFingerprint(let lookup): seen.begins = lookup.trigger
            default: break
            }
        }
        #expect(seen == Self.promise(cell))
    }

    /// The timers in each state, which need intervals of their own.
    @Test(
        "What a timer does in each state",
        .requirements("R-ACR-152", "R-ACR-149", "R-ACR-150", "R-ACR-173"),
        arguments: [
            (State.waiting, false, State.fingerprinting(.localThenOnline), State.fingerprinting(.localOnly)),
            (.waiting, true, .fingerprinting(.localOnly), .fingerprinting(.localOnly)),
            (.fingerprinting(.localOnly), false, .fingerprinting(.localThenOnline), .fingerprinting(.localOnly)),
            (.fingerprinting(.localOnly), true, .fingerprinting(.localOnly), .fingerprinting(.localOnly)),
            (
                .fingerprinting(.localThenOnline), false, .fingerprinting(.localThenOnline),
                .fingerprinting(.localThenOnline)
            ),
            (.searchingLocal(.localOnly), false, .searchingLocal(.localOnly), .searchingLocal(.localOnly)),
            (.searchingLocal(.localOnly), true, .searchingLocal(.localOnly), .searchingLocal(.localOnly)),
            (
                .searchingLocal(.localThenOnline), false, .searchingLocal(.localThenOnline),
                .searchingLocal(.localThenOnline)
            ),
            (.searchingOnline, false, .searchingOnline, .searchingOnline),
        ]
    )
    func timers(state: State, cacheOnly: Bool, afterOnline: State, afterLocal: State) {
        let cell = Cell(state: state, event: .time, cacheOnly: cacheOnly, isGateOpen: true)
        for isOnline in [true, false] {
            var (scheduler, now) = Self.scheduler(in: cell)
            var properties = scheduler.properties
            // With the delay of 60 s both have run out by now.
            if isOnline { properties.onlineInterval = 1 } else { properties.localInterval = 1 }
            _ = scheduler.set(properties, at: MediaTime(value: now + 100, timescale: 1))
            #expect(scheduler.state == (isOnline ? afterOnline : afterLocal))
            let waits = isOnline && state == .searchingLocal(.localOnly) && !cacheOnly
            #expect(scheduler.pending == (waits ? .timer : nil))
            now += 101
        }
    }

    @Test("What is asked for during a search of the store is looked up behind it", .requirements("R-ACR-151"))
    func waitingRequest() {
        for (event, trigger) in [(Event.manual, LookupTrigger.manual), (.transition, .transition)] {
            let cell = Cell(state: .searchingLocal(.localOnly), event: event, cacheOnly: false, isGateOpen: true)
            var (scheduler, now) = Self.scheduler(in: cell)
            let first = scheduler.lookup?.id
            _ = scheduler.handle(event, at: MediaTime(value: now, timescale: 1))
            #expect(scheduler.state == cell.state && scheduler.lookup?.id == first, "\(event)")
            now += 1
            _ = scheduler.handle(.localMiss, at: MediaTime(value: now, timescale: 1))
            #expect(scheduler.state == .fingerprinting(.localThenOnline), "\(event)")
            #expect(scheduler.lookup?.trigger == trigger && scheduler.lookup?.id != first, "\(event)")
        }
    }

    @Test("A timer that waits for a local search is started at its end")
    func waitingTimer() {
        let cell = Cell(state: .searchingLocal(.localOnly), event: .time, cacheOnly: false, isGateOpen: true)
        for (answer, state) in [
            (Event.localMiss, State.fingerprinting(.localThenOnline)), (.error, .fingerprinting(.localThenOnline)),
            // What was found makes it needless.
            (.localHit, .waiting),
        ] {
            var (scheduler, now) = Self.scheduler(in: cell)
            var properties = scheduler.properties
            properties.onlineInterval = 1
            _ = scheduler.set(properties, at: MediaTime(value: now + 100, timescale: 1))
            _ = scheduler.handle(answer, at: MediaTime(value: now + 101, timescale: 1))
            #expect(scheduler.state == state, "\(answer)")
            now = 0
        }
    }

    @Test("Whatever happens in whatever order, at most one lookup is under way and each ends once")
    func anyOrder() {
        property("any order of events") { generator in
            var properties = MonitorProperties()
            properties.onlineInterval = Int.random(in: 0...20, using: &generator)
            properties.localInterval = Int.random(in: 0...10, using: &generator)
            properties.noMatchLimit = Int.random(in: 0...3, using: &generator)
            properties.noMatchIncrement = Int.random(in: 8...30, using: &generator)
            properties.cacheOnly = Bool.random(using: &generator)
            var scheduler = QueryScheduler(properties)
            var now = MediaTime.zero
            var open: Int?
            var ended: Set<Int> = []
            for _ in 0..<300 {
                now = now + MediaTime(value: Int64.random(in: 0...5, using: &generator), timescale: 2)
                if let deadline = scheduler.deadline, Bool.random(using: &generator) { now = max(now, deadline) }
                let event = Event.allCases.randomElement(using: &generator) ?? .time
                for effect in scheduler.handle(event, at: now) {
                    switch effect {
                    case .beginFingerprint(let lookup):
                        guard open == nil else { return false }
                        open = lookup.id
                    case .end(let lookup, _), .abandon(let lookup):
                        guard open == lookup.id, ended.insert(lookup.id).inserted else { return false }
                        open = nil
                    case .searchOnline: guard !properties.cacheOnly else { return false }
                    case .scheduled(let time?): guard time > now || scheduler.state != .waiting else { return false }
                    default: break
                    }
                }
                // Nothing is overdue, and a lookup is known exactly while there is one.
                if let deadline = scheduler.deadline, deadline <= now { return false }
                guard (scheduler.lookup?.id == open) else { return false }
            }
            return true
        }
    }
}
