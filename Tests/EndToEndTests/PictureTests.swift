import EarshotAnalysis
import EarshotBroadcast
import EarshotCore
import EarshotLibrary
import EarshotMedia
@testable import EarshotMusic
import Foundation
import TestSupport
import Testing

@testable import EarshotPlots
@testable import LibraryCommands

@Suite("Pictures of the command")
struct PictureTests {
    private static let channel = PlayChannel(id: "one", name: "One")

    private static func date(_ text: String) throws -> Date { try Date("2026-05-01T\(text)Z", strategy: .iso8601) }

    private static func play(_ start: String, _ end: String) throws -> PlayRecord {
        PlayRecord(channel: channel, start: try date(start), end: try date(end), referenceID: "a", state: .final)
    }

    private static func fitted(
        _ plays: [PlayRecord],
        gaps: [StreamGap] = [],
        heard: [DetectedInterval] = []
    ) throws -> Range<Date> {
        let begin = try date("00:00:00")
        return PlaylogPlot.fitted(
            begin..<begin.addingTimeInterval(86_400),
            timeZone: .gmt,
            plays: plays,
            gaps: gaps,
            heard: heard,
            now: try date("19:00:00")
        )
    }

    @Test("a quarter of an hour fills the picture of a day")
    func quarter() throws {
        let plays = [try Self.play("18:30:12", "18:33:40"), try Self.play("18:36:00", "18:45:10")]
        let span = try Self.fitted(plays)
        #expect(span == (try Self.date("18:30:00")..<Self.date("18:46:00")))
        #expect(PlaylogPlot.words(span, timeZone: .gmt) == "18:30 to 18:46")
        let plot = PlaylogPlot(title: "Plays", span: span, plays: plays)
        #expect(plot.ticks.count > 8)
        let row = plot.frame(plays[1].start, plays[1].end, row: 0, band: .music)
        #expect(row.width > (PlaylogPlot.width - PlaylogPlot.left - PlaylogPlot.right) / 2)
    }

    @Test("what was listened to and what was missed count, and open gaps go on until now")
    func otherParts() throws {
        let play = try Self.play("18:30:12", "18:33:40")
        let heard = DetectedInterval(
            channel: Self.channel,
            start: try Self.date("18:29:50"),
            end: try Self.date("18:40:00")
        )
        #expect(try Self.fitted([play], heard: [heard]) == (Self.date("18:29:00")..<Self.date("18:40:00")))
        let gap = StreamGap(channel: Self.channel, start: try Self.date("18:35:00"))
        #expect(try Self.fitted([play], gaps: [gap]) == (Self.date("18:30:00")..<Self.date("19:00:00")))
    }

    @Test("a day without plays, and one that is full, are shown whole")
    func whole() throws {
        let day = try Self.date("00:00:00")..<Self.date("00:00:00").addingTimeInterval(86_400)
        #expect(try Self.fitted([]) == day)
        #expect(try Self.fitted([Self.play("01:00:00", "01:03:00"), Self.play("23:00:00", "23:03:00")]) == day)
        let morning = try Self.fitted([Self.play("06:10:00", "06:13:00"), Self.play("15:20:00", "15:23:00")])
        #expect(morning == (try Self.date("06:00:00")..<Self.date("16:00:00")))
    }

    @Test("a waveform has a title and a time axis, unless it is bare or small")
    func waveform() throws {
        let samples = (0..<80_000).map { Float(sin(Double($0) / 20)) }
        var maker = WaveformMaker(sampleRate: 8_000, channelCount: 1, framesPerBucket: 256)
        maker.append(AudioBuffer(samples, sampleRate: 8_000))
        let made = maker.waveform
        func text(_ title: String?, height: Int = 320) -> String {
            String(decoding: WaveformPicture(made, title: title, width: 1_200, height: height).svg(), as: UTF8.self)
        }
        let titled = text("a & b.wav")
        #expect(titled.contains(">a &amp; b.wav</text>") && titled.contains(">0:10.000</text>"))
        for time in ["0:00", "0:02", "0:08", "0:10"] { #expect(titled.contains(">\(time)</text>"), "\(time)") }
        for bare in [text(nil), text("a", height: 100)] { #expect(!bare.contains("<text")) }
    }

    @Test("the command draws both, and --bare leaves them out")
    func waveformCommand() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            for (options, hasTitle) in [([], true), (["--bare"], false)] {
                let target = folder.appendingPathComponent("\(hasTitle).svg")
                let outcome = try await Workshop.earshot.run(
                    ["waveform", workshop.clip.path, "-o", target.path] + options
                )
                #expect(outcome.status == 0, "\(outcome.errors)")
                let picture = try String(contentsOf: target, encoding: .utf8)
                #expect(picture.contains(">clip.wav</text>") == hasTitle)
            }
        }
    }

    @Test("measuring is in the help, and leaves nothing behind")
    func measure() async throws {
        let workshop = try await Workshop.shared()
        let help = try await Workshop.earshot.run(["catalog", "--help"])
        #expect(help.output.contains("  measure "))
        try await withTemporaryFolder { folder in
            let catalog = folder.appendingPathComponent("music.earcat")
            try FileManager.default.copyItem(at: workshop.catalog, to: catalog)
            let scratch = folder.appendingPathComponent("scratch")
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
            for arguments in [
                ["adding", "--source", catalog.path, "--sizes", "8"],
                ["merging", "--source", catalog.path, "--count", "3"], ["opening", catalog.path, "--queries", "4"],
            ] {
                let outcome = try await Workshop.earshot.run(
                    ["catalog", "measure"] + arguments,
                    environment: ["TMPDIR": scratch.path]
                )
                #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
                #expect(!outcome.output.isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                    "music.earcat", "scratch",
                ]
            )
        }
    }
}
