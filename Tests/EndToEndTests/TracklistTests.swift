import Earshot
import EarshotCatalogs
import Foundation
import TestSupport
import Testing

@testable import RecognitionCommands

@Suite("earshot tracklist")
struct TracklistTests {
    /// 20 s of one track, 10 s of something else, 12 s of another.
    private static let mix = Task {
        let workshop = try await Workshop.shared()
        let samples = Recordings.samples
        let warm = try await Recordings.audio(samples.appendingPathComponent("Music/warm-ink.ogg"), seconds: 5..<25)
        let unknown = try await Recordings.audio(
            samples.appendingPathComponent("Unknown/geoscape-theme-1.ogg"),
            seconds: 20..<30
        )
        let cold = try await Recordings.audio(samples.appendingPathComponent("Music/win-game.ogg"), seconds: 6..<18)
        let url = workshop.folder.appendingPathComponent("mix.wav")
        try Recordings.wave(warm + unknown + cold).write(to: url)
        return url.path
    }

    @Test("a mix is listed from its beginning to its end, in every form and as a picture")
    func forms() async throws {
        let workshop = try await Workshop.shared()
        let mix = try await Self.mix.value
        func path(_ name: String) -> String { workshop.folder.appendingPathComponent(name).path }
        let names = ["list.txt", "list.cue", "list.json", "list.csv"].map(path)
        let picture = path("list.svg")
        let outcome = try await Workshop.earshot.run(
            ["tracklist", mix, "-c", workshop.catalog.path, "--timeline", picture] + names.flatMap { ["-o", $0] }
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let texts = try names.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts[0].contains("warm ink 日本") && texts[0].contains("unknown") && texts[0].contains("win"))
        #expect(texts[1].contains("TRACK 03 AUDIO"))
        let document = try Document(texts[2])
        #expect(document["matches", 0, "id"] as? String == Workshop.clipName)
        #expect(document["matches", 1, "id"] as? String == "music/win.wav")
        for (path, time) in [("0.queryEnd", 20.0), ("1.queryBegin", 30), ("1.queryEnd", 42)] {
            let parts = path.split(separator: ".")
            let found = document["matches", Int(parts[0]) ?? 0, String(parts[1])] as? Double
            #expect(abs(try #require(found) - time) < 1, "\(path)")
        }
        #expect(CSV.rows(texts[3]).map(\.[0]) == ["kind", "play", "unknown", "play"])
        let drawing = try String(contentsOfFile: picture, encoding: .utf8)
        #expect(drawing.contains("<svg") && drawing.contains("warm ink 日本"))
        let again = try await Workshop.earshot.run(
            ["tracklist", mix, "-c", workshop.catalog.path, "-o", names[0]]
        )
        #expect(again.status == 4)
    }

    @Test("nothing found is status 3, and a form that is not known status 2")
    func refusals() async throws {
        let workshop = try await Workshop.shared()
        let foreign = try await Workshop.earshot.run(["tracklist", workshop.foreign.path, "-c", workshop.catalog.path])
        #expect(foreign.status == 3)
        #expect(foreign.output.contains("unknown"))
        for arguments in [["-o", "list.doc"], ["--timeline", "list.gif"], ["--format", "xml"]] {
            let outcome = try await Workshop.earshot.run(
                ["tracklist", workshop.foreign.path, "-c", workshop.catalog.path] + arguments
            )
            #expect(outcome.status == 2, "\(arguments)")
        }
    }
}

@Suite("Tracklists")
struct TracklistFormatTests {
    private static func play(
        _ id: ReferenceID,
        _ begin: Double,
        _ end: Double,
        title: String? = nil,
        confidence: Double = 1,
        duplicateOf: ReferenceID? = nil
    ) throws -> Play {
        var properties: [MediaItemKey: PropertyValue] = [:]
        if let title { properties = [.title: .string(title), .artist: "Duo \"Quote\""] }
        return Play(
            id: id,
            items: properties.isEmpty ? [] : [try MediaItem(properties: properties)],
            referenceDuration: MediaTime(seconds: 300),
            placement: Placement(
                offset: MediaTime(seconds: -begin),
                queryRange: MediaTime(seconds: begin)..<MediaTime(seconds: end),
                referenceRange: .zero..<MediaTime(seconds: end - begin),
                confidence: confidence
            ),
            duplicateOf: duplicateOf
        )
    }

    private static func list() throws -> Tracklist {
        Tracklist(
            recording: "my \"mix\".mp3",
            duration: MediaTime(seconds: 4_000),
            plays: [
                try play("a", 0.4, 200, title: "He said \"no\""),
                try play("a2", 0.4, 199, duplicateOf: "a"),
                try play("inner", 50, 60, title: "Bed"),
                try play("b", 190, 380, title: "Next\nline", confidence: 0.8),
                try play("c", 3_000, 3_990.5),
            ]
        )
    }

    @Test("a cue sheet is valid: ascending places, no play inside another, quotation marks made single")
    func cue() throws {
        let expected = """
            REM COMMENT "earshot tracklist"
            FILE "my 'mix'.mp3" MP3
              TRACK 01 AUDIO
                TITLE "He said 'no'"
                PERFORMER "Duo 'Quote'"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Next line"
                PERFORMER "Duo 'Quote'"
                INDEX 01 03:10:00
              TRACK 03 AUDIO
                TITLE "unknown"
                INDEX 01 06:20:00
              TRACK 04 AUDIO
                TITLE "c"
                INDEX 01 50:00:00
              TRACK 05 AUDIO
                TITLE "unknown"
                INDEX 01 66:30:38

            """
        #expect(try Self.list().cueSheet() == expected)
    }

    @Test("a cue sheet of any plays has at most 99 tracks, ascending")
    func anyCue() {
        property("cue sheets", rounds: 100) { generator in
            let plays = try (0..<Int.random(in: 0...150, using: &generator)).map { index in
                let begin = Double.random(in: 0..<20_000, using: &generator)
                return try Self.play(ReferenceID("\(index)"), begin, begin + .random(in: 1..<400, using: &generator))
            }.sorted { $0.queryRange.lowerBound < $1.queryRange.lowerBound }
            let list = Tracklist(recording: "x.wav", duration: MediaTime(seconds: 20_500), plays: plays)
            let places = list.cueSheet().split(separator: "\n").filter { $0.contains("INDEX 01") }.map { line in
                let parts = line.split(separator: " ").last?.split(separator: ":").compactMap { Int($0) } ?? []
                return parts.reduce((0, [4_500, 75, 1][...])) { ($0.0 + $1 * ($0.1.first ?? 0), $0.1.dropFirst()) }.0
            }
            return places.count <= 99 && zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
        }
    }

    @Test("a table that people open holds no formulas, and its numbers stay numbers")
    func inert() throws {
        let plays = [try Self.play("a", 0, 20, title: "=1+1")]
        let list = Tracklist(recording: "x", duration: MediaTime(seconds: 20), plays: plays)
        let row = list.table(isInert: true).split(separator: "\n")[1].split(
            separator: ",",
            omittingEmptySubsequences: false
        )
        #expect(row[4] == "'=1+1")
        #expect(row[9] == "0")
        #expect(list.table().contains(",=1+1,"))
    }

    @Test("text names plays, duplicates and stretches of nothing")
    func text() throws {
        let lines = try Self.list().text().split(separator: "\n").map(String.init)
        #expect(lines.count == 8)
        #expect(lines[0] == "my \"mix\".mp3 (1:06:40): 4 plays, 43:50 unknown")
        #expect(lines[1] == "    0:00      3:20  100 %  Duo \"Quote\" – He said \"no\"")
        #expect(lines[2].hasSuffix("also as a2"))
        #expect(lines[5] == "    6:20     50:00         unknown")
    }

    @Test("a timeline has every play, over lines of a quarter of an hour, and longer ones for longer recordings")
    func timeline() throws {
        let plot = TimelinePlot(try Self.list())
        #expect(plot.lineSeconds == 900)
        #expect(plot.lines.count == 5)
        #expect(Set(plot.lines.joined().compactMap(\.entry)) == [0, 1, 2, 3])
        // What overlaps stands in different lanes.
        for line in plot.lines {
            for (index, box) in line.enumerated() {
                for other in line[(index + 1)...] where other.begin < box.end { #expect(other.lane != box.lane) }
            }
        }
        let long = Tracklist(recording: "x", duration: MediaTime(seconds: 36_000), plays: [])
        #expect(TimelinePlot(long).lines.count <= 8)
        #expect(String(decoding: TimelinePlot(long).svg(), as: UTF8.self).hasSuffix("</svg>\n"))
    }
}
