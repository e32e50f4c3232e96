import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

extension TimedEvent {
    /// The event in one word: what, and to which entry.
    var word: String {
        switch self {
        case .entered(let entry): "+\(entry.id)"
        case .left(let entry): "-\(entry.id)"
        case .partShown(let entry, let part): "\(entry.id).\(part.id)"
        case .answerOpened(let entry): "open \(entry.id)"
        case .answerClosed(let entry): "closed \(entry.id)"
        case .upcoming(let entry, let time): "soon \(entry.id) \(time.seconds)"
        }
    }
}

/// Playback that is at a position at an instant.
func playing(
    _ position: Double,
    at instant: Double = 0,
    skew: Double = 0,
    duration: Double = 100,
    confirmed: Double? = nil
) -> PositionPrediction {
    PositionPrediction(
        position: at(position),
        at: at(instant),
        speedSkew: skew,
        referenceDuration: at(duration),
        confirmedAt: at(confirmed ?? instant)
    )
}

@Suite("Following timed content")
struct TimedContentPlayerTests {
    private static func lesson() throws -> Timeline {
        try Timeline(data: Data(TimelineTests.question.utf8))
    }

    /// Plays a stretch, confirmed every five seconds.
    private func play(
        _ player: inout TimedContentPlayer,
        from start: Double,
        to end: Double,
        clock: Double = 0
    ) -> [String] {
        var events: [TimedEvent] = []
        for time in stride(from: 0, through: end - start, by: 5) {
            events += player.update(position: playing(start + time, at: clock + time), now: at(clock + time))
        }
        return (events + player.advance(to: at(clock + end - start))).map(\.word)
    }

    @Test("Answers open when their time comes, for entries that require one", .requirements("R-CC-080"))
    func answers() throws {
        var player = TimedContentPlayer(try Self.lesson())
        #expect(play(&player, from: 10, to: 30.999) == ["+1", "-1", "+sum", "sum.left", "sum.right"])
        #expect(player.update(position: playing(31, at: 21), now: at(21)).map(\.word) == ["open sum"])
        #expect(player.active.map(\.isAnswerOpen) == [true])
        #expect(player.advance(to: at(28.5)).map(\.word) == ["closed sum"])
        #expect(player.advance(to: at(30)).map(\.word) == ["-sum"])
        var entry = try #require(try Self.lesson().entries.last)
        entry.requiresAnswer = false
        var quiet = TimedContentPlayer(try Timeline([entry]))
        #expect(play(&quiet, from: 10, to: 45) == ["+sum", "sum.left", "sum.right", "-sum"])
    }

    @Test("Between matches events happen at the instants that were predicted", .requirements("R-CC-082"))
    func planned() throws {
        let clock = ManualClock()
        var player = TimedContentPlayer(try TimelineTests.lesson())
        #expect(player.nextEventTime(after: clock.now) == nil)
        // 5 % fast: 14 s are reached 4 s of reference, 4 / 1.05 s of the clock later.
        #expect(player.update(position: playing(9.8, skew: 0.05), now: clock.now).isEmpty)
        #expect(player.nextEventTime(after: clock.now) == at(4))
        clock.advance(by: 3.999999)
        #expect(player.advance(to: clock.now).isEmpty)
        clock.advance(by: 0.000001)
        #expect(player.advance(to: clock.now).map(\.word) == ["+a"])
        #expect(player.update(position: playing(14, at: 4, skew: 0.05), now: at(4)).isEmpty)
        // 7 s of reference later, rounded up to the next microsecond.
        #expect(player.nextEventTime(after: clock.now) == at(4 + 6.666667))
        // Nothing confirms it for longer than ten seconds: no event is promised, and nothing is taken back.
        #expect(player.update(position: playing(14, at: 4, skew: 0.05, confirmed: 0), now: at(4)).isEmpty)
        #expect(player.nextEventTime(after: at(4)) == nil)
        #expect(player.advance(to: at(400)).isEmpty)
        #expect(player.active.map(\.entry.id) == ["a"])
    }

    @Test("The instant announced is always one at which something happens")
    func instants() {
        property("planned instants", rounds: 200) { generator in
            var player = TimedContentPlayer(try Self.lesson())
            let skew = Double.random(in: -0.1...0.1, using: &generator)
            let start = Double.random(in: 0...30, using: &generator)
            let instant = Double.random(in: 0...1_000_000, using: &generator)
            _ = player.update(
                position: playing(start, at: instant, skew: skew, confirmed: instant + 90),
                now: at(instant)
            )
            var now = at(instant)
            while let next = player.nextEventTime(after: now) {
                guard next >= now, player.advance(to: next - at(0.000002)).isEmpty else { return false }
                guard !player.advance(to: next).isEmpty || player.position == at(38.5) else { return false }
                now = next
            }
            return player.active.isEmpty
        }
    }

    @Test("After a jump the state is rebuilt", .requirements("R-CC-083"))
    func jumps() throws {
        var player = TimedContentPlayer(try TimelineTests.lesson())
        #expect(player.update(position: playing(15), now: .zero).map(\.word) == ["+a"])
        // Ahead: what was passed over is not shown.
        #expect(player.update(position: playing(32, at: 1), now: at(1)).map(\.word) == ["-a", "+d"])
        // Back: what was jumped back to is shown again.
        #expect(player.update(position: playing(22, at: 2), now: at(2)).map(\.word) == ["-d", "+b"])
        #expect(player.advance(to: at(5)).map(\.word) == ["-b", "+c"])
        // Before the first.
        #expect(player.update(position: playing(3, at: 6), now: at(6)).map(\.word) == ["-c"])
        #expect(player.active.isEmpty)
        // Into the midst of an entry: its parts and its answer are there at once.
        var question = TimedContentPlayer(try Self.lesson())
        let events = question.update(position: playing(33), now: .zero).map(\.word)
        #expect(events == ["+sum", "sum.left", "sum.right", "open sum"])
        #expect(question.update(position: playing(22, at: 1), now: at(1)).map(\.word) == ["closed sum"])
        #expect(question.active.first?.shownParts.map(\.id) == ["left"])
        #expect(question.advance(to: at(4)).map(\.word) == ["sum.right"])
    }

    @Test("A correction ahead that is no jump shows what lies on the way")
    func correction() throws {
        var player = TimedContentPlayer(try TimelineTests.lesson())
        #expect(player.update(position: playing(20.5), now: .zero).map(\.word) == ["+a"])
        #expect(player.update(position: playing(21.5), now: .zero).map(\.word) == ["-a", "+b"])
        #expect(player.update(position: playing(22.6), now: .zero).isEmpty)
        // Behind by less than the hysteresis allows for: it stands still.
        #expect(player.update(position: playing(22.51), now: .zero).isEmpty)
        #expect(player.position == at(22.6))
    }

    @Test("Lost playback leaves everything; the end of the reference is never passed")
    func lost() throws {
        var player = TimedContentPlayer(try Self.lesson())
        _ = player.update(position: playing(33), now: .zero)
        #expect(player.update(position: nil, now: at(1)).map(\.word) == ["closed sum", "-sum"])
        #expect(player.position == nil)
        #expect(player.reset().isEmpty)
        #expect(player.update(position: playing(33, at: 2), now: at(2)).count == 4)
        #expect(player.reset().map(\.word) == ["closed sum", "-sum"])
        var short = TimedContentPlayer(try TimelineTests.lesson())
        #expect(short.update(position: playing(20, duration: 24), now: .zero).map(\.word) == ["+a"])
        #expect(short.advance(to: at(9)).map(\.word) == ["-a", "+b"])
        #expect(short.position == at(24))
        #expect(short.nextEventTime(after: at(9)) == nil)
    }

    @Test("Entries are announced before they begin")
    func upcoming() throws {
        let configuration = TimedContentPlayer.Configuration(lookAhead: at(5))
        var player = TimedContentPlayer(try TimelineTests.lesson(), configuration: configuration)
        #expect(player.update(position: playing(8), now: .zero).isEmpty)
        #expect(player.nextEventTime(after: .zero) == at(1))
        #expect(player.advance(to: at(1)).map(\.word) == ["soon a 5.0"])
        #expect(player.update(position: playing(9, at: 1), now: at(1)).isEmpty)
        #expect(player.advance(to: at(9)).map(\.word) == ["+a", "soon b 4.0"])
        #expect(player.update(position: playing(28, at: 9), now: at(9)).map(\.word) == ["-a", "+c", "soon d 3.0"])
        #expect(player.advance(to: at(12)).map(\.word) == ["-c", "+d"])
    }

    @Test("However positions jitter, every event comes once")
    func jitter() {
        let expected = ["+a", "-a", "+b", "-b", "+c", "-c", "+d"]
        property("jittering positions", rounds: 300) { generator in
            var player = TimedContentPlayer(try TimelineTests.lesson())
            var events: [TimedEvent] = []
            var time = 0.0
            while time < 25 {
                let offset = 10 + time + Double.random(in: -0.04...0.04, using: &generator)
                events += player.update(position: playing(offset, at: time), now: at(time))
                // Close to a boundary as often as between.
                time += [0.01, 0.05, 0.3, 1].randomElement(using: &generator) ?? 1
                if Bool.random(using: &generator) { events += player.advance(to: at(time)) }
            }
            return events.map(\.word) == expected
        }
    }

    @Test("It does not matter how often the player is asked")
    func stepping() {
        property("steps", rounds: 200) { generator in
            let configuration = TimedContentPlayer.Configuration(lookAhead: nil)
            var once = TimedContentPlayer(try Self.lesson(), configuration: configuration)
            var often = once
            let prediction = playing(10, skew: Double.random(in: -0.1...0.1, using: &generator), confirmed: 60)
            var (first, second) = (
                once.update(position: prediction, now: .zero), often.update(position: prediction, now: .zero)
            )
            first += once.advance(to: at(50))
            var time = 0.0
            while time < 50 {
                second += often.advance(to: at(time))
                time += Double.random(in: 0...9, using: &generator)
            }
            second += often.advance(to: at(50))
            return first == second && once.active == often.active
        }
    }

    @Test("Predictions without sense do no harm")
    func senseless() throws {
        for skew in [-1, -2, Double.nan, .infinity, 1e300] {
            var player = TimedContentPlayer(try TimelineTests.lesson(), configuration: .init(lookAhead: at(1)))
            _ = player.update(position: playing(20, skew: skew), now: .zero)
            _ = player.nextEventTime(after: .zero)
            _ = player.advance(to: at(5))
            _ = player.advance(to: .indefinite)
            _ = player.advance(to: .negativeInfinity)
            _ = player.update(position: playing(.nan), now: at(6))
            _ = player.update(position: nil, now: .invalid)
        }
    }
}
