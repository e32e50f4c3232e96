import EarshotCore
import EarshotMonitor
import Foundation
import TestSupport
import Testing

/// The lookups of a scenario, each as one line: begin, end, cause, place, outcome.
private func timeline(_ name: String, _ change: (inout SchedulerScenario) -> Void = { _ in }) throws -> [String] {
    var scenario = try #require(SchedulerScenario.builtIn.first { $0.name == name })
    change(&scenario)
    return SchedulerSimulation(scenario).lookups.map(\.line)
}

extension SchedulerSimulation.LookupRow {
    fileprivate var line: String {
        func text(_ number: Double?) -> String { number.map { String(format: "%g", $0) } ?? "…" }
        let cause = upgradedBy.map { "\(trigger) > \($0)" } ?? "\(trigger)"
        let place = kind == .localOnly ? "local" : wasOnline ? "both, online" : "both"
        let count = outcome == "miss, counted" ? " (\(missesInARow))" : ""
        return "\(text(begin))–\(text(end)) \(cause): \(place): \(outcome)\(count)"
    }
}

@Suite("Timelines of lookups")
struct SchedulerTimelineTests {
    @Test(
        "T1: local lookups between forced ones do not count, and each timer starts at the end of a lookup",
        .requirements("R-ACR-141", "R-ACR-142", "R-ACR-146", "R-ACR-155", "R-ACR-156", "R-ACR-158")
    )
    func first() throws {
        #expect(
            try timeline("T1") == [
                "0–5 start: both, online: miss, counted (1)",
                "25–29 localTimer: local: miss, not counted",
                "49–53 localTimer: local: miss, not counted",
                "60–65 onlineTimer: both, online: miss, counted (2)",
                "85–89 localTimer: local: miss, not counted",
                "109–113 localTimer: local: miss, not counted",
                "125–130 onlineTimer: both, online: miss, counted (3)",
            ]
        )
    }

    @Test(
        "T2: what wants both places while a local fingerprint is made raises it, once",
        .requirements("R-ACR-149")
    )
    func second() throws {
        let simulation = SchedulerSimulation(try #require(SchedulerScenario.builtIn.first { $0.name == "T2" }))
        #expect(
            simulation.lookups.map(\.line) == [
                "0–5 start: both, online: miss, counted (1)",
                "25–29 localTimer: local: miss, not counted",
                "49–54 localTimer > onlineTimer: both, online: miss, counted (2)",
            ]
        )
        #expect(simulation.nextLookup == 74)
        for event in [SchedulerScenario.Happening.Kind.manual, .transition] {
            let lines = try timeline("T2") {
                ($0.onlineInterval, $0.until) = (300, 60)
                $0.events = [.init(at: 51, event)]
            }
            // A change begins the fingerprint anew, a request does not.
            let end = event == .manual ? 54 : 56
            #expect(lines.last == "49–\(end) localTimer > \(event): both, online: miss, counted (2)")
        }
        for event in [nil, SchedulerScenario.Happening.Kind.manual, .transition] {
            var scenario = try #require(SchedulerScenario.builtIn.first { $0.name == "T2" })
            // Nothing raises a lookup twice.
            if let event {
                scenario.onlineInterval = 300
                scenario.events = [51, 51.5, 52].map { .init(at: $0, event) }
            }
            let upgrades = SchedulerSimulation(scenario).entries.filter {
                if case .upgrade = $0.effect { true } else { false }
            }
            #expect(upgrades.count == 1, "\(String(describing: event))")
        }
    }

    @Test("T2: after the raised lookup at 54 the timers run out at 74 and 105")
    func secondContinued() throws {
        let lines = try timeline("T2") { $0.until = 110 }
        #expect(
            lines.suffix(3) == [
                "74–78 localTimer: local: miss, not counted",
                "98–102 localTimer: local: miss, not counted",
                "105–110 onlineTimer: both, online: miss, counted (3)",
            ]
        )
    }

    @Test("T3: a match starts the online timer anew", .requirements("R-ACR-153", "R-ACR-148"))
    func third() throws {
        let lines = try timeline("T3")
        #expect(
            lines.prefix(3) == [
                "0–5 start: both, online: miss, counted (1)",
                "25–29 localTimer: local: match",
                "49–53 localTimer: local: miss, not counted",
            ]
        )
        #expect(lines.contains { $0.hasPrefix("60") } == false)
        #expect(lines.last == "89–94 onlineTimer: both, online: miss, counted (1)")
    }

    @Test(
        "T4: with the store alone, the online timer causes lookups in the store that count",
        .requirements("R-ACR-144", "R-ACR-157")
    )
    func fourth() throws {
        #expect(
            try timeline("T4") { $0.until = 70 } == [
                "0–4 start: local: miss, counted (1)",
                "60–64 onlineTimer: local: miss, counted (2)",
            ]
        )
    }

    @Test("T5: a change waits for the delay, and is remembered", .requirements("R-ACR-167"))
    func fifth() throws {
        let simulation = SchedulerSimulation(try #require(SchedulerScenario.builtIn.first { $0.name == "T5" }))
        #expect(
            simulation.lookups.map(\.line) == [
                "0–5 start: both, online: miss, counted (1)",
                "65–70 transition: both, online: miss, counted (2)",
            ]
        )
        #expect(simulation.lookups.map(\.delay) == [60, 120])
        // Another change would wait until 190.
        let lines = try timeline("T5") { $0.events.append(.init(at: 100, .transition)) }
        #expect(lines.last == "190–195 transition: both, online: miss, counted (3)")
    }

    @Test("T6: a request does not wait for the delay, and serves the change too", .requirements("R-ACR-107"))
    func sixth() throws {
        let simulation = SchedulerSimulation(try #require(SchedulerScenario.builtIn.first { $0.name == "T6" }))
        #expect(
            simulation.lookups.map(\.line) == [
                "0–5 start: both, online: miss, counted (1)", "40–45 manual: both, online: miss, counted (2)",
            ]
        )
        #expect(simulation.scheduler.delay == 120)
        #expect(simulation.nextLookup == nil)
        let lines = try timeline("T6") { $0.events.append(.init(at: 100, .transition)) }
        #expect(lines.last == "165–170 transition: both, online: miss, counted (3)")
    }

    @Test("T7: a request during a search follows it at once", .requirements("R-ACR-105"))
    func seventh() throws {
        #expect(
            try timeline("T7") == [
                "0–5 start: both, online: miss, counted (1)", "5–10 manual: both, online: miss, counted (2)",
            ]
        )
    }

    @Test("T8: with both intervals off nothing is forced", .requirements("R-ACR-159", "R-ACR-031"))
    func eighth() throws {
        let simulation = SchedulerSimulation(try #require(SchedulerScenario.builtIn.first { $0.name == "T8" }))
        #expect(simulation.lookups.count == 1)
        #expect(simulation.entries.last == .init(time: MediaTime(value: 5, timescale: 1), effect: .scheduled(nil)))
        // A negative interval is off too, for a day.
        #expect(try timeline("T8") { $0.onlineInterval = -1 }.count == 1)
    }

    @Test("An interval of 1 s, the shortest, forces lookups, and one of 0 s forces none", .requirements("R-ACR-034"))
    func shortest() throws {
        let online = try timeline("T8") { ($0.onlineInterval, $0.until) = (1, 30) }
        #expect(online.first?.contains("start") == true)
        #expect(online.count > 3 && online.dropFirst().allSatisfy { $0.contains("onlineTimer: both") }, "\(online)")
        let local = try timeline("T8") { ($0.localInterval, $0.until) = (1, 30) }
        #expect(local.count > 3 && local.dropFirst().allSatisfy { $0.contains("localTimer: local") }, "\(local)")
        #expect(try timeline("T8") { ($0.onlineInterval, $0.localInterval, $0.until) = (0, 0, 30) }.count == 1)
    }

    @Test("Ten requests during a search make one lookup", .requirements("R-ACR-108"))
    func manyRequests() throws {
        let lines = try timeline("T7") {
            $0.events = (0..<10).map { .init(at: 4.1 + Double($0) / 20, .manual) }
        }
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix("5–10 manual") == true)
    }

    @Test("Twenty changes during the delay make one lookup", .requirements("R-ACR-169", "R-ACR-168"))
    func manyChanges() throws {
        let lines = try timeline("T5") {
            $0.events = (0..<20).map { .init(at: 10 + Double($0) * 2, .transition) }
            $0.localInterval = 25
        }
        // The local lookup at 30 is not raised by the changes around it.
        #expect(
            lines == [
                "0–5 start: both, online: miss, counted (1)",
                "30–34 localTimer: local: miss, not counted",
                "59–63 localTimer: local: miss, not counted",
                "65–70 transition: both, online: miss, counted (2)",
            ] + lines.dropFirst(4)
        )
        #expect(lines.dropFirst(4).allSatisfy { $0.contains("localTimer: local") })
    }

    @Test("A miss of another cause leaves the online timer alone", .requirements("R-ACR-154"))
    func otherCause() throws {
        let lines = try timeline("T1") {
            $0.localInterval = 0
            $0.events = [.init(at: 55, .transition)]
        }
        #expect(lines[1] == "55–60 transition: both, online: miss, counted (2)")
        #expect(lines[2].hasPrefix("60–65 onlineTimer"))
    }

    @Test("Without a local interval no lookup is local only, for a day", .requirements("R-ACR-147"))
    func noLocal() throws {
        var scenario = SchedulerScenario()
        (scenario.until, scenario.onlineInterval) = (86_400, 60)
        scenario.events = (0..<500).map { .init(at: Double($0) * 171, $0 % 3 == 0 ? .manual : .transition) }
        let lookups = SchedulerSimulation(scenario).lookups
        #expect(lookups.count > 500)
        #expect(lookups.allSatisfy { $0.kind == .localThenOnline })
    }

    @Test("With the store alone nobody is ever asked online", .requirements("R-ACR-140"))
    func storeAlone() throws {
        var scenario = SchedulerScenario()
        (scenario.until, scenario.onlineInterval, scenario.localInterval, scenario.cacheOnly) = (3_600, 60, 20, true)
        scenario.events = (0..<60).map { .init(at: Double($0) * 59, $0 % 2 == 0 ? .manual : .transition) }
        let lookups = SchedulerSimulation(scenario).lookups
        #expect(Set(lookups.map(\.kind)) == [.localOnly])
        #expect(lookups.allSatisfy { !$0.wasOnline })
        #expect(Set(lookups.map(\.trigger)) == [.start, .manual, .transition, .onlineTimer, .localTimer])
    }

    @Test("Changes every second still let lookups end", .requirements("R-ACR-172"))
    func restlessAudio() throws {
        var scenario = SchedulerScenario()
        scenario.until = 60
        scenario.events = (1..<60).map { .init(at: Double($0), .transition) }
        let simulation = SchedulerSimulation(scenario)
        let ended = simulation.lookups.filter { $0.end != nil }
        #expect(ended.count >= 8)
        // A fingerprint is begun anew once, by the first change: its time and a second at most, then the question.
        #expect(ended.allSatisfy { ($0.end ?? 0) - $0.begin <= 6 })
        var restarts: [Int] = []
        for entry in simulation.entries {
            switch entry.effect {
            case .beginFingerprint: restarts.append(0)
            case .restartFingerprint: restarts[restarts.count - 1] += 1
            default: break
            }
        }
        #expect(restarts.first == 1 && restarts.allSatisfy { $0 <= 1 }, "\(restarts)")
    }

    @Test("A forced question after a delay is late by the delay", .requirements("R-ACR-166"))
    func forcedAfterDelay() throws {
        var scenario = SchedulerScenario()
        (scenario.onlineInterval, scenario.noMatchLimit, scenario.noMatchMaxDelay) = (60, 1, 60)
        scenario.until = 600
        let begins = SchedulerSimulation(scenario).lookups.map(\.begin)
        // The first runs from the start, each later one from the end of the one before it.
        #expect(begins.prefix(4) == [0, 120, 245, 370])
    }

    @Test("Property changes count at once", .requirements("R-ACR-039"))
    func changedInterval() {
        var scheduler = QueryScheduler()
        func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }
        for (event, at) in [(QueryScheduler.Event.start, 0), (.fingerprintReady, 4), (.localMiss, 4), (.onlineMiss, 5)]
        {
            _ = scheduler.handle(event, at: time(Int64(at)))
        }
        #expect(scheduler.deadline == time(300))
        var properties = scheduler.properties
        properties.onlineInterval = 10
        let effects = scheduler.set(properties, at: time(20))
        #expect(scheduler.state == .fingerprinting(.localThenOnline))
        #expect(effects.contains(.beginFingerprint(.init(id: 2, kind: .localThenOnline, trigger: .onlineTimer))))
    }
}
