import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("Positions of matches")
struct MonitorPositionTests {
    private static let music = SyntheticMusic(seed: 41, duration: 150)

    /// A stage that knows one piece of 150 s.
    private func stage(_ change: (inout MonitorProperties) -> Void = { _ in }) throws -> Stage {
        var catalog = Catalog()
        try catalog.add(try Self.music.signature(), representing: [], id: "piece")
        var stage = Stage(change)
        stage.local = { signature in
            do throws(EarshotError) {
                let match = try catalog.match(signature)
                return .success(
                    (match?.references ?? []).map { reference in
                        var found = MonitorMatch(title: "Piece")
                        found.placement = ReferencePlacement(reference: reference.id, placement: reference.best)
                        found.actualPosition = Int((reference.offset.seconds * 1_000).rounded())
                        found.duration = 150_000
                        return found
                    }
                )
            } catch {
                return .failure(error)
            }
        }
        return stage
    }

    @Test("The position is that of the fingerprint's first sample", .requirements("R-ACR-080"))
    func actual() throws {
        var stage = try stage()
        stage.start()
        stage.hear(Self.music.buffer(from: 125, seconds: 7))
        let match = try #require(stage.results.first?.matches.first)
        #expect(abs(try #require(match.actualPosition) - 125_000) <= 100)
    }

    @Test(
        "The adjusted position has what went by until the answer, and later ones what goes by after it",
        .requirements("R-ACR-081", "R-ACR-082")
    )
    func adjusted() throws {
        var adjusted: [Int] = []
        for delay in [0.0, 2.0] {
            var stage = try stage { $0.onlineInterval = 0 }
            stage.localDelay = delay
            stage.start()
            stage.hear(Self.music.buffer(from: 100, seconds: 9))
            let match = try #require(stage.results.first?.matches.first)
            adjusted.append(try #require(match.adjustedPosition) - (match.actualPosition ?? 0))
            let delivered = match.capturedAt + MediaTime(seconds: 6 + delay)
            let later = match.position(at: delivered + MediaTime(value: 10, timescale: 1))
            #expect(abs(try #require(later) - (match.adjustedPosition ?? 0) - 10_000) <= 20)
            // Never beyond the end.
            #expect(match.position(at: delivered + MediaTime(value: 600, timescale: 1)) == 150_000)
        }
        // Six seconds of audio, and then the delay.
        #expect(abs(adjusted[0] - 6_000) <= 50)
        #expect(abs(adjusted[1] - adjusted[0] - 2_000) <= 50)
    }

    @Test(
        "Positions are hours, minutes and seconds of two digits, and none is empty",
        .requirements("R-ACR-083", "R-ACR-084"),
        arguments: [
            (3_723_999, "01:02:03"), (0, "00:00:00"), (999, "00:00:00"), (59_999, "00:00:59"),
            (360_000_000, "100:00:00"),
            (-500, "00:00:00"), (-61_000, "-00:01:01"),
        ]
    )
    func text(position: Int, text: String) {
        #expect(PositionText.clock(position) == text)
        #expect(PositionText.clock(nil).isEmpty)
    }

    @Test("A match is one line, without a word for what is missing", .requirements("R-ACR-079", "R-ACR-091"))
    func line() {
        var match = MonitorMatch(title: "Evening News", subtitle: nil)
        match.adjustedPosition = 3_723_999
        #expect(match.line(1) == "1. Evening News  01:02:03")
        let channel = BroadcastChannel(id: "c1", name: Name("Channel Seven"), callSign: "WCH7", number: "5.1")
        match.subtitle = "Late edition"
        match.airing = Airing(
            start: Stage.date,
            end: Stage.date + 1_800,
            channel: channel,
            program: Program(id: "p1", title: Name("Evening News"))
        )
        #expect(match.line(2) == "2. Evening News  Late edition  WCH7  01:02:03")
        match.adjustedPosition = nil
        #expect(match.line(2) == "2. Evening News  Late edition  WCH7")
        match.customData = CustomData(identifier: "quiz-12", bytes: Data([1]))
        match.adjustedPosition = 60_000
        #expect(match.line(3) == "3. quiz-12  00:01:00")
    }

    @Test(
        "When what was recognized is over by its length, the next thing is looked up, heard change or not",
        .requirements("R-ACR-093")
    )
    func contentEnds() throws {
        var stage = try stage { $0.onlineInterval = 0 }
        stage.start()
        // Twelve seconds of it are left; then it simply goes on, as an unheard change does.
        stage.hear(Self.music.buffer(from: 138, seconds: 12))
        let before = stage.results.count
        stage.hear(Self.music.buffer(from: 20, seconds: 12))
        let ends = stage.events(.transition).filter { $0.text == "end" }
        #expect(ends.count == 1)
        #expect(abs(try #require(ends.first).time.seconds - 12.5) <= 0.2)
        #expect(stage.results.count > before)
        let last = try #require(stage.results.last)
        #expect(last.trigger == .transition && last.kind == .localThenOnline && last.source == .local)
        #expect(last.capturedAt.seconds > 11 && last.capturedAt < stage.instant && last.capturedDate < Stage.date)
        #expect(abs((last.matches.first?.position(at: stage.instant) ?? 0) - 32_000) <= 200)
    }

    @Test("Lengths and positions that cannot be are none", arguments: [-1, 0, .max, .min])
    func implausible(_ number: Int) throws {
        var match = MonitorMatch(title: "A")
        (match.duration, match.actualPosition) = (number, 5)
        #expect(match.end == nil)
        (match.duration, match.actualPosition) = (1_000, number)
        _ = (match.end, match.position(at: MediaTime(value: 9, timescale: 1)))
        var answer = BroadcastMatch(title: "A")
        var work = VideoWork(id: "w", title: Name("A"))
        work.duration = number
        (answer.work, answer.position) = (work, number)
        #expect(MonitorMatch(answer).duration == nil)
    }

    @Test("Behind a gap and a pause positions are those of the audio", arguments: [1.0, 40], [true, false])
    func behindBreaks(seconds: Double, isTold: Bool) throws {
        // What is short and not told is delay; what is long and not told is a pause.
        guard isTold || seconds > 5 else { return }
        var stage = try stage { $0.onlineInterval = 0 }
        stage.start()
        stage.hear(Self.music.buffer(from: 10, seconds: 2))
        stage.pass(seconds)
        if isTold { stage.gap(seconds) }
        stage.hear(Self.music.buffer(from: 100, seconds: 9))
        let match = try #require(stage.results.last?.matches.first)
        let position = try #require(match.position(at: stage.instant))
        #expect(abs(position - 109_000) <= 150, "\(position)")
    }

    @Test("A length that is shorter than the position says nothing, and neither does that of a broadcast")
    func noEnd() {
        var match = MonitorMatch(title: "Film")
        match.capturedAt = MediaTime(value: 10, timescale: 1)
        match.actualPosition = 60_000
        #expect(match.end == nil)
        match.duration = 90_000
        #expect(match.end?.seconds == 40.5)
        match.duration = 60_000
        #expect(match.end == nil)
        match.duration = 90_000
        match.airing = Airing(
            start: Stage.date,
            end: Stage.date,
            channel: BroadcastChannel(id: "one", name: Name("One")),
            program: Program(id: "film", title: Name("Film"))
        )
        #expect(match.end == nil)
    }
}
