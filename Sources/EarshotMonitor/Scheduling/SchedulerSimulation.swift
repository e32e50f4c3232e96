public import EarshotCore

/// Runs a scenario with a simulated clock and records the effects.
public struct SchedulerSimulation: Sendable {
    /// An effect of the scheduler, with its time.
    public struct Entry: Hashable, Sendable {
        /// The time since the start.
        public var time: MediaTime
        /// The effect.
        public var effect: QueryScheduler.Effect

        /// Creates an entry.
        public init(time: MediaTime, effect: QueryScheduler.Effect) {
            self.time = time
            self.effect = effect
        }
    }

    /// A lookup of the simulation, from its start to its end.
    public struct LookupRow: Hashable, Sendable, Codable {
        /// The time at which the lookup began, in seconds since the start.
        public var begin: Double
        /// The time at which the lookup ended; `nil` if it was abandoned or the scenario ended first.
        public var end: Double?
        /// The trigger of the lookup.
        public var trigger: LookupTrigger
        /// The trigger that extended the lookup to the service, if any.
        public var upgradedBy: LookupTrigger?
        /// The places that were searched.
        public var kind: LookupKind
        /// `true` if the service was asked.
        public var wasOnline = false
        /// The outcome: `match`; `miss, counted`; `miss, not counted` if no service was asked; `error`; `abandoned` if the monitor was stopped
        /// during the lookup; empty if the scenario ended first.
        public var outcome = ""
        /// The number of misses counted in a row, including this one.
        public var missesInARow = 0
        /// The seconds added to the delay between lookups afterwards.
        public var delay = 0
    }

    /// All effects with their times, in order.
    public private(set) var entries: [Entry] = []
    /// The lookups, in order.
    public private(set) var lookups: [LookupRow] = []
    /// The scheduler at the end of the scenario.
    public private(set) var scheduler: QueryScheduler

    private let scenario: SchedulerScenario
    /// The time at which the current step ends, and the event.
    private var completion: (time: MediaTime, event: QueryScheduler.Event)?

    /// Runs a scenario to its end.
    public init(_ scenario: SchedulerScenario) {
        self.scenario = scenario
        scheduler = QueryScheduler(scenario.properties)
        run()
    }

    private func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1_000) }

    private mutating func run() {
        var happenings = scenario.events.sorted { $0.at < $1.at }[...]
        let end = time(scenario.until)
        tell(.start, at: .zero)
        while true {
            // Of what falls on one instant, steps end first and timers run out last.
            let next = [completion?.time, happenings.first.map { time($0.at) }, scheduler.deadline]
            guard let now = next.compactMap(\.self).min(), now <= end else { break }
            if let completion, completion.time == now {
                self.completion = nil
                tell(completion.event, at: now)
            } else if let happening = happenings.first, time(happening.at) == now {
                happenings.removeFirst()
                let events: [SchedulerScenario.Happening.Kind: QueryScheduler.Event] = [
                    .transition: .transition, .manual: .manual, .stop: .stop,
                ]
                if let event = events[happening.event] { tell(event, at: now) }
            } else {
                tell(.time, at: now)
            }
        }
    }

    private mutating func tell(_ event: QueryScheduler.Event, at now: MediaTime) {
        for effect in scheduler.handle(event, at: now) {
            entries.append(Entry(time: now, effect: effect))
            switch effect {
            case .beginFingerprint(let lookup):
                lookups.append(LookupRow(begin: now.seconds, trigger: lookup.trigger, kind: lookup.kind))
                completion = (now + time(scenario.fingerprint), .fingerprintReady)
            case .restartFingerprint: completion = (now + time(scenario.fingerprint), .fingerprintReady)
            case .upgrade(let trigger):
                change { ($0.upgradedBy, $0.kind) = (trigger, .localThenOnline) }
            case .searchLocal:
                let done = now + time(scenario.local)
                completion = (done, isIn(scenario.localHits, done) ? .localHit : .localMiss)
            case .searchOnline:
                change { $0.wasOnline = true }
                let done = now + time(scenario.online)
                let answer: QueryScheduler.Event =
                    isIn(scenario.onlineErrors, done)
                    ? .error : isIn(scenario.onlineHits, done) ? .onlineHit : .onlineMiss
                completion = (done, answer)
            case .end(_, let outcome): finish(outcome, at: now)
            case .abandon:
                completion = nil
                change { $0.outcome = "abandoned" }
            case .deliver, .manualQueued, .noMatchModeEntered, .noMatchDelayChanged, .noMatchModeLeft, .scheduled: break
            }
        }
    }

    private func isIn(_ times: [Double], _ instant: MediaTime) -> Bool { times.contains { time($0) == instant } }

    private mutating func change(_ body: (inout LookupRow) -> Void) {
        guard !lookups.isEmpty else { return }
        body(&lookups[lookups.count - 1])
    }

    private mutating func finish(_ outcome: QueryScheduler.Outcome, at now: MediaTime) {
        let delay = scheduler.delay
        change { row in
            row.end = now.seconds
            row.delay = delay
            switch outcome {
            case .match: row.outcome = "match"
            case .countedMiss(let count): (row.outcome, row.missesInARow) = ("miss, counted", count)
            case .uncountedMiss: row.outcome = "miss, not counted"
            case .error: row.outcome = "error"
            }
        }
    }

    /// The time of the next automatic lookup after the scenario, in seconds since the start; `nil` if there is none.
    public var nextLookup: Double? {
        for entry in entries.reversed() {
            if case .scheduled(let time) = entry.effect { return time?.seconds }
        }
        return nil
    }
}
