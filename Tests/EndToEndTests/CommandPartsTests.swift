import Earshot
import Foundation
import TestSupport
import Testing

@testable import EarshotPlots
@testable import CommandKit
@testable import RecognitionCommands

@Suite("Parts of the command")
struct CommandPartsTests {
    @Test(
        "times on the command line",
        arguments: [
            ("75.5", 75.5), ("3:14", 194.0), ("1:02:03", 3723.0), ("0:00.25", 0.25), ("90:00", 5400.0),
        ]
    )
    func times(text: String, seconds: Double) throws {
        #expect(try #require(TimeArgument(argument: text)).time.seconds == seconds)
    }

    @Test("what is no time is refused", arguments: ["", "abc", "1:75", "1:75:00", "-3", "1:2:3:4", "nan", "1.5:00"])
    func noTimes(text: String) {
        #expect(TimeArgument(argument: text) == nil)
    }

    @Test("the live line shows what is heard, where it is, its content and what comes next")
    func liveLine() throws {
        let signature = try SyntheticMusic(seed: 7, duration: 20).signature()
        let timeline = try Timeline([
            TimedEntry(id: "a", title: "Bridge", start: .zero),
            TimedEntry(id: "b", title: "Chorus", start: MediaTime(value: 14, timescale: 1)),
        ])
        var catalog = Catalog()
        try catalog.add(signature, representing: [MediaItem(properties: [.title: "Song"])], id: "song")
        let second = MediaTime(value: 1, timescale: 1)
        let query = signature.slice(from: second, duration: MediaTime(value: 5, timescale: 1)).signature
        let match = try #require(try catalog.match(query))
        var line = ListenLine(timelines: ["song": timeline])
        #expect(line.text(width: 80) == "▯▯▯▯▯▯▯▯▯▯  listening")
        line.take(peak: 1)
        line.take(SessionEvent.matched(match, [.appeared]))
        line.take(TimedEvent.entered(timeline.entries[0]))
        let text = line.text(width: 80)
        #expect(text.hasPrefix("▮▮▮▮▮▮▮▮▮▮  "))
        #expect(text.contains(" Song  00:0") && text.contains("  > Bridge  in 00:"))
        #expect(text.hasSuffix(": Chorus"))
        #expect(line.text(width: 30).count == 29)
    }

    @Test("properties become numbers and truth values, but never under keys of text")
    func properties() {
        #expect(PropertyArgument("episode=3").value == .integer(3))
        #expect(PropertyArgument("gain=-1.5").value == .real(-1.5))
        #expect(PropertyArgument("live=true").value == .boolean(true))
        #expect(PropertyArgument("title=1984").value == .string("1984"))
        #expect(PropertyArgument("note=a=b").value == .string("a=b"))
        #expect(PropertyArgument("genres=Rock;Folk").value == .array(["Rock", "Folk"]))
    }

    @Test("text of others is shown without what steers a terminal")
    func shown() {
        #expect(Terminal.shown("Café 夜 é\u{301} – “x”") == "Café 夜 é\u{301} – “x”")
        #expect(Terminal.shown("a\u{1B}[31mb\nc\u{9B}d\u{7F}") == "a\\u{1B}[31mb c\\u{9B}d\\u{7F}")
        #expect(Terminal.shown("one\r\ntwo\n\nthree\tfour\u{2028}five") == "one two  three four five")
        #expect(Terminal.shown("a\u{202E}gpj.exe\u{2066}\u{200F}") == "a\\u{202E}gpj.exe\\u{2066}\\u{200F}")
    }

    @Test("positions, lengths and skews in words")
    func words() {
        #expect(DisplayText.position(MediaTime(value: 62_345, timescale: 1000)) == "1:02.345")
        #expect(DisplayText.position(MediaTime(value: -1_500, timescale: 1000)) == "-0:01.500")
        #expect(DisplayText.position(MediaTime(value: 3_725_000, timescale: 1000)) == "1:02:05.000")
        #expect(DisplayText.skew(speed: 0.03, pitch: 0.03) == "3.0 % fast")
        #expect(DisplayText.skew(speed: 0.0001, pitch: -0.0002) == "at its own speed")
        #expect(DisplayText.bytes(999) == "999 B")
        #expect(DisplayText.bytes(18_600_000) == "18.6 MB")
    }

    @Test("ticks are few, even and inside")
    func ticks() {
        property("ticks") { generator in
            let start = Double.random(in: -10...4000, using: &generator)
            let end = start + Double.random(in: 0.5...20_000, using: &generator)
            let ticks = PlotTicks.times(in: start...end, limit: 10)
            let places = ticks.ticks.map(\.value)
            return places.count <= 11 && places.allSatisfy { $0 >= start - 1e-4 && $0 <= end + 1e-4 }
        }
        #expect(PlotTicks.times(in: 0...0.3, limit: 4).ticks.map(\.label) == ["0.0", "0.1", "0.2", "0.3"])
        #expect(PlotTicks.times(in: 1_798...6_599.999, limit: 10).ticks.last?.value == 6_000)
    }

    @Test("a histogram shows every place, and cuts its axis only before a match far out")
    func histograms() {
        let frame = PlotFrame(x: 100, y: 0, width: 400, height: 150)
        property("axes of histograms", rounds: 200) { generator in
            let others = (0..<Int.random(in: 20...400, using: &generator)).map { _ in
                Double.random(in: -300...10, using: &generator)
            }
            let own = Double.random(in: 20...3_000, using: &generator)
            let axis = HistogramAxis(own: own, elsewhere: others, threshold: 19, in: frame)
            let bars = axis.bars(others)
            let threshold = axis.place(of: 19)
            return bars.map(\.count).reduce(0, +) == others.count
                && bars.allSatisfy { frame.x - 12 < axis.place(of: $0.value) && axis.place(of: $0.value) < threshold }
                && threshold < axis.place(of: own) && axis.place(of: own) <= frame.right
                && axis.ticks.allSatisfy { axis.place(of: $0) <= (axis.gap?.lowerBound ?? frame.right) }
                && axis.ticks.count <= 6
        }
        let near = HistogramAxis(own: 60, elsewhere: [-60, -40, -30], threshold: 19, in: frame)
        #expect(near.gap == nil)
        let far = HistogramAxis(own: 900, elsewhere: [-60, -40, -30], threshold: 19, in: frame)
        #expect(far.gap != nil)
    }

    @Test("the color map grows lighter all the way")
    func colors() {
        let lightness = ColorMap.table.map {
            0.2126 * Double($0.red) + 0.7152 * Double($0.green) + 0.0722 * Double($0.blue)
        }
        #expect(zip(lightness, lightness.dropFirst()).allSatisfy { $0 <= $1 + 1.5 })
        #expect((lightness.last ?? 0) > (lightness.first ?? 0) + 100)
    }

    @Test("a long title is cut to its room, and markup is escaped")
    func titles() {
        let long = String(repeating: "長い題名 & <title> ", count: 30)
        let cut = PlotText.shortened(long, size: 30, width: 600)
        #expect(cut.hasSuffix("…"))
        #expect(PlotText.estimatedWidth(cut, size: 30) <= 600)
        #expect(PlotText.shortened("Short", size: 30, width: 600) == "Short")
        #expect(PlotText.escaped("<a & \"b\">").contains("<") == false)
    }

    @Test("pictures are drawn as PNG and SVG, with and without an answer")
    func pictures() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let png = folder.appendingPathComponent("a.png")
            let svg = folder.appendingPathComponent("b.svg")
            let drawn = try await Workshop.earshot.run(
                ["plot", workshop.clip.path, "-c", workshop.catalog.path, "-o", png.path, "--width", "800"]
            )
            #expect(drawn.status == 0, "\(drawn.errors)")
            #expect(try Data(contentsOf: png).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
            let plain = try await Workshop.earshot.run(
                ["plot", workshop.foreign.path, "-c", workshop.catalog.path, "-o", svg.path]
            )
            #expect(plain.status == 0, "\(plain.errors)")
            let text = try String(contentsOf: svg, encoding: .utf8)
            #expect(text.contains("Nothing matched"))
            #expect(text.hasPrefix("<?xml") || text.hasPrefix("<svg"))
            let again = try await Workshop.earshot.run(["plot", workshop.clip.path, "-o", svg.path])
            #expect(again.status == 4)
            let wrong = try await Workshop.earshot.run(["plot", workshop.clip.path, "-o", "x.jpg"])
            #expect(wrong.status == 2)
        }
    }

    @Test("the map is drawn with the likeliest reference, its margin over others, and what an answer needs")
    func map() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            func draw(_ clip: URL, _ name: String) async throws -> String {
                let svg = folder.appendingPathComponent(name)
                let drawn = try await Workshop.earshot.run(
                    ["plot", clip.path, "-c", workshop.catalog.path, "--map", "-o", svg.path]
                )
                #expect(drawn.status == 0, "\(drawn.errors)")
                return try String(contentsOf: svg, encoding: .utf8)
            }
            let found = try await draw(workshop.clip, "found.svg")
            let foreign = try await draw(workshop.foreign, "foreign.svg")
            for text in [found, foreign] {
                for part in ["landmarks of the reference stand above chance", "margin", "bits", "answered from 6.0 on"]
                {
                    #expect(text.contains(part))
                }
            }
            #expect(foreign.contains("Nothing matched") && !found.contains("Nothing matched"))
            let long = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
            let whole = try await Workshop.earshot.run(
                ["plot", long.path, "-c", workshop.catalog.path, "--map", "-o", folder.path + "/w.svg"]
            )
            #expect(whole.status == 1 && whole.errors.contains("cut a part out with"), "\(whole.errors)")
        }
    }
}
