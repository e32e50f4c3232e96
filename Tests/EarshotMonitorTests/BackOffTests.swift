import EarshotCore
import EarshotMonitor
import TestSupport
import Testing

/// A scheduler whose lookups are made by hand, a second apart.
struct Course {
    var scheduler: QueryScheduler
    private(set) var now: Int64 = 0

    init(_ change: (inout MonitorProperties) -> Void = { _ in }) {
        var properties = MonitorProperties()
        (properties.onlineInterval, properties.localInterval) = (0, 0)
        change(&properties)
        scheduler = QueryScheduler(properties)
        tell(.start)
    }

    @discardableResult
    mutating func tell(_ event: QueryScheduler.Event, after seconds: Int64 = 1) -> [QueryScheduler.Effect] {
        now += seconds
        return scheduler.handle(event, at: MediaTime(value: now, timescale: 1))
    }

    mutating func set(_ properties: MonitorProperties) {
        now += 1
        _ = scheduler.set(properties, at: MediaTime(value: now, timescale: 1))
    }

    /// Brings the lookup under way to an end; begins one by hand where there is none.
    @discardableResult
    mutating func lookUp(_ online: QueryScheduler.Event = .onlineMiss) -> [QueryScheduler.Effect] {
        if scheduler.state == .waiting { tell(.manual) }
        tell(.fingerprintReady)
        return tell(.localMiss) + tell(online)
    }
}

@Suite("No-match mode")
struct BackOffTests {
    @Test(
        "The delay after so many misses",
        .requirements("R-ACR-160", "R-ACR-161", "R-ACR-162", "R-ACR-163", "R-ACR-032"),
        arguments: [
            (60, 60, 300, [59: 0, 60: 60, 120: 120, 180: 180, 240: 240, 300: 300, 360: 300]),
            (3, 10, 60, [2: 0, 3: 10, 6: 20, 9: 30, 12: 40, 15: 50, 18: 60, 21: 60]),
            (1, 45, 60, [1: 45, 2: 60, 3: 60]),
            (2, 100, 60, [1: 0, 2: 60, 4: 60]),
            (4, 70, 300, [4: 70, 8: 140, 12: 210, 16: 280, 20: 300]),
            (0, 60, 300, [59: 0, 60: 60, 120: 120, 180: 180, 240: 240, 300: 300, 360: 300]),
        ]
    )
    func delays(limit: Int, increment: Int, most: Int, delays: [Int: Int]) {
        var course = Course { ($0.noMatchLimit, $0.noMatchIncrement, $0.noMatchMaxDelay) = (limit, increment, most) }
        for miss in 1...(delays.keys.max() ?? 0) {
            course.lookUp()
            if let delay = delays[miss] { #expect(course.scheduler.delay == delay, "after \(miss)") }
            #expect(course.scheduler.missesInARow == miss)
        }
    }

    @Test("An online timer that ran out while only the store was to be asked is not forgotten when that changes")
    func storeAloneNoMore() {
        var course = Course { ($0.onlineInterval, $0.cacheOnly) = (20, true) }
        course.tell(.fingerprintReady)
        course.tell(.localMiss)
        // The timer begins a lookup in the store alone, and meanwhile the service may be asked again.
        course.tell(.time, after: 30)
        #expect(course.scheduler.state != .waiting)
        var properties = course.scheduler.properties
        properties.cacheOnly = false
        course.set(properties)
        course.tell(.fingerprintReady)
        let effects = course.tell(.localMiss)
        // What only the store was asked for is asked online at once, or when the timer runs out again.
        #expect(course.scheduler.deadline != nil || course.scheduler.state != .waiting, "\(effects)")
        for _ in 0..<3 where course.scheduler.state != .waiting {
            course.tell(.fingerprintReady)
            course.tell(.localMiss)
            course.tell(.onlineMiss)
        }
        #expect(course.scheduler.deadline != nil)
    }

    @Test("A match ends the mode and counts from zero", .requirements("R-ACR-164", "R-ACR-065", "R-ACR-066"))
    func match() {
        var course = Course()
        var effects: [QueryScheduler.Effect] = []
        for _ in 1...180 { effects += course.lookUp() }
        func modes(_ effects: [QueryScheduler.Effect]) -> [QueryScheduler.Effect] {
            effects.filter {
                switch $0 {
                case .noMatchModeEntered, .noMatchDelayChanged, .noMatchModeLeft: true
                default: false
                }
            }
        }
        #expect(
            modes(effects) == [
                .noMatchModeEntered(delay: 60), .noMatchDelayChanged(delay: 120), .noMatchDelayChanged(delay: 180),
            ]
        )
        #expect(modes(course.lookUp(.onlineHit)) == [.noMatchModeLeft])
        #expect((course.scheduler.delay, course.scheduler.level, course.scheduler.misses) == (0, 0, 0))
        for _ in 1...59 { course.lookUp() }
        #expect(course.scheduler.delay == 0)
        course.lookUp()
        #expect(course.scheduler.delay == 60)
    }

    @Test("Nothing in the store and nothing online is one miss", .requirements("R-ACR-165"))
    func once() {
        var course = Course()
        course.lookUp()
        #expect(course.scheduler.missesInARow == 1)
    }

    @Test("A thousand local lookups of the timer count for nothing", .requirements("R-ACR-143"))
    func uncounted() {
        var course = Course { $0.localInterval = 5 }
        course.lookUp(.onlineHit)
        for _ in 1...1_000 {
            course.tell(.time, after: 6)
            #expect(course.scheduler.state == .fingerprinting(.localOnly))
            course.tell(.fingerprintReady)
            course.tell(.localMiss)
        }
        #expect(course.scheduler.missesInARow == 0)
    }

    @Test("A hundred errors are no miss", .requirements("R-ACR-170"))
    func errors() {
        var course = Course()
        for _ in 1...100 { course.lookUp(.error) }
        #expect((course.scheduler.missesInARow, course.scheduler.misses, course.scheduler.delay) == (0, 0, 0))
    }

    @Test("A fingerprint of silence is a miss, without a search", .requirements("R-ACR-171"))
    func silence() {
        var course = Course()
        let effects = course.tell(.fingerprintFailed)
        #expect(effects.contains(.end(.init(id: 1, kind: .localThenOnline, trigger: .start), .countedMiss(inARow: 1))))
        #expect(!effects.contains(.searchLocal) && !effects.contains(.searchOnline))
    }

    @Test("A lookup that was raised counts, whatever began it")
    func raised() {
        var course = Course { $0.localInterval = 5 }
        course.lookUp(.onlineHit)
        course.tell(.time, after: 6)
        course.tell(.manual)
        course.lookUp()
        #expect(course.scheduler.missesInARow == 1)
    }

    @Test("Start after a stop begins from zero", .requirements("R-ACR-025"))
    func restart() {
        var course = Course { $0.noMatchLimit = 1 }
        course.lookUp()
        #expect(course.scheduler.delay == 60)
        course.tell(.stop)
        course.tell(.start)
        #expect((course.scheduler.delay, course.scheduler.missesInARow) == (0, 0))
    }
}
