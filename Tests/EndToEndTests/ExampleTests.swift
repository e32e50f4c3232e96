import Earshot
import Foundation
import TestSupport
import Testing

/// The examples do what they say. Those that follow what is heard take as long as it is heard.
@Suite("Examples")
struct ExampleTests {
    /// Pieces of the sample music with questions of their own, as a lesson, and a catalog of them.
    private static func lesson(in folder: URL) async throws -> (catalog: String, audio: [Float]) {
        var last: [Float] = []
        var files: [String] = []
        for (number, name) in ["cold-day", "snodom", "win-game"].enumerated() {
            let url = Recordings.samples.appendingPathComponent("Music/\(name).ogg")
            last = try await Recordings.audio(url, seconds: 0..<26)
            let file = folder.appendingPathComponent("episode-\(number + 1).wav")
            try Recordings.wave(last).write(to: file)
            let sheet = """
                {"metadata": {"title": "Part \(number + 1)", "teacher": "Ada", "episode": \(number + 1)}, "entries": [
                  {"id": "one", "title": "One?", "start": 4, "end": 9, "parts": [
                    {"id": "left", "title": "1", "start": 5}, {"id": "right", "title": "+ 3", "start": 7}],
                   "answerRange": [7, 8.5], "requiresAnswer": true},
                  {"id": "two", "title": "Two?", "start": 10, "end": 14},
                  {"id": "three", "title": "Three?", "start": 18}]}
                """
            try Data(sheet.utf8).write(to: folder.appendingPathComponent("episode-\(number + 1).json"))
            files.append(file.path)
        }
        let catalog = folder.appendingPathComponent("lesson.earcat").path
        let outcome = try await Tool("LessonCatalog").run([catalog] + files)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (catalog, last)
    }

    private static func seconds(_ range: Range<Int>, of audio: [Float]) -> ArraySlice<Float> {
        audio[range.lowerBound * 16_000..<range.upperBound * 16_000]
    }

    @Test(
        "The companion lists the episodes, says which is heard, and follows a rewind and a skip",
        .requirements("R-CC-103", "R-CC-104", "R-CC-105")
    )
    func companion() async throws {
        try await withTemporaryFolder { folder in
            let (catalog, audio) = try await Self.lesson(in: folder)
            var script = Self.seconds(0..<11, of: audio)
            script += Self.seconds(3..<11, of: audio)
            script += Self.seconds(16..<20, of: audio)
            let file = folder.appendingPathComponent("script.wav")
            try Recordings.wave(Array(script)).write(to: file)
            let outcome = try await Tool("Companion").run([catalog, "--file", file.path, "--paced", "--jsonl"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = try outcome.output.split(separator: "\n").map { try Document(String($0)) }
            func all(_ event: String, _ name: String) -> [String] {
                lines.filter { $0["event"] as? String == event }.compactMap { $0[name] as? String }
            }
            #expect(all("available", "reference") == ["episode-1", "episode-2", "episode-3"])
            #expect(all("episode", "reference") == ["episode-3"])
            #expect(all("episode", "text") == ["episode 3: Part 3, with Ada"])
            #expect(all("jump", "reference").count >= 2)
            #expect(all("question", "entry") == ["one", "two", "one", "two", "three"])
            #expect(all("part", "part") == ["left", "right", "left", "right"])
            #expect(all("answer now", "entry") == ["one", "one"])
            #expect(all("question", "text").first == "One?")
        }
    }

    @Test("The companion names what it cannot use")
    func companionErrors() async throws {
        let missing = try await Tool("Companion").run(["/nowhere.earcat", "--file", "/nowhere.wav"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("/nowhere.earcat"))
        #expect(try await Tool("Companion").run([]).errors.contains("usage: Companion CATALOG"))
    }

    @Test("Karaoke prints lines and words as they are sung")
    func karaoke() async throws {
        try await withTemporaryFolder { folder in
            let url = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
            let audio = try await Recordings.audio(url, seconds: 0..<24)
            let (song, clip) = (folder.appendingPathComponent("song.wav"), folder.appendingPathComponent("clip.wav"))
            let lyrics = folder.appendingPathComponent("song.lrc")
            try Recordings.wave(audio).write(to: song)
            try Recordings.wave(Array(Self.seconds(4..<16, of: audio))).write(to: clip)
            let text = """
                [00:01.00]Gone before
                [00:09.00]<00:09.00>One <00:11.00>apple
                [00:13.00]And three
                [00:22.00]Late

                """
            try Data(text.utf8).write(to: lyrics)
            let outcome = try await Tool("Karaoke").run([lyrics.path, song.path, "--file", clip.path])
            let lines = outcome.output.split(separator: "\n").drop { $0 == "Gone before" }
            #expect(Array(lines) == ["One apple", "  ONE apple", "  ONE APPLE", "And three"], "\(outcome.errors)")
        }
    }

    @Test("Two listeners that began at different times agree on the position")
    func twoDevices() async throws {
        let workshop = try await Workshop.shared()
        let playback = workshop.music.appendingPathComponent("win.wav").path
        let outcome = try await Tool("TwoDevices").run([workshop.catalog.path, playback, "3"])
        let last = try #require(outcome.output.split(separator: "\n").last, "\(outcome.errors)")
        let difference = last.split(separator: " ").compactMap { Double($0) }.last
        #expect(abs(try #require(difference)) < 500, "\(outcome.output)")
    }

    @Test("the quick start of the README runs")
    func quickStart() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await Tool("QuickStart").run(
            [workshop.folder.appendingPathComponent(Workshop.clipName).path, workshop.clip.path]
        )
        #expect(outcome.output.contains("warm ink 日本 at 1"), "\(outcome.errors)")
        let nothing = try await Tool("QuickStart").run(
            [workshop.music.appendingPathComponent("win.wav").path, workshop.foreign.path]
        )
        #expect(nothing.output.contains("Nothing matched."))
    }

    @Test("samples from memory are recognized by a program that asks for no library of FFmpeg")
    func matchBuffers() async throws {
        let workshop = try await Workshop.shared()
        let song = workshop.folder.appendingPathComponent(Workshop.clipName)
        var bytes = Data()
        for sample in try await Recordings.audio(song, seconds: 10..<18) {
            withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        // The last sample is cut off in its middle.
        let outcome = try await Tool("MatchBuffers").run([workshop.catalog.path, "16000"], input: bytes.dropLast(2))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("warm ink 日本 at 00:1"), "\(outcome.output)")
        let wrong = try await Tool("MatchBuffers").run([workshop.catalog.path, "44.1"])
        #expect(wrong.status == 1 && wrong.errors.contains("usage: MatchBuffers CATALOG RATE"))
        #if os(Linux)
            let names = ["libavformat", "libavcodec", "libavutil", "libswresample"].map { Data($0.utf8) }
            let lean = try Data(contentsOf: Tool("MatchBuffers").url)
            let whole = try Data(contentsOf: Tool("QuickStart").url)
            #expect(!names.contains { lean.range(of: $0) != nil })
            #expect(names.contains { whole.range(of: $0) != nil })
        #endif
    }

    @Test("the example of a catalog builds it, and brings it up to date")
    func buildCatalog() async throws {
        let workshop = try await Workshop.shared()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (catalog, song) = (folder.appendingPathComponent("new.earcat").path, workshop.clip.path)
        let created = try await Tool("BuildCatalog").run([catalog, song])
        #expect(created.output.contains("1 references, 1 of them new"), "\(created.errors)")
        let updated = try await Tool("BuildCatalog").run([catalog, song])
        #expect(updated.output.contains("1 references, 0 of them new"), "\(updated.errors)")
    }

    @Test("the reading example reads every frame")
    func readSamples() async throws {
        let path = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg").path
        let outcome = try await Tool("ReadSamples").run([path])
        // 80 s at 44,100 Hz.
        #expect(outcome.output.hasPrefix("3528000 frames at 44100 Hz"), "\(outcome.output)\(outcome.errors)")
    }

    @Test("Two songs are mixed into a file", .requirements("R-MR-073"))
    func mixSongs() async throws {
        try await withTemporaryFolder { folder in
            let songs = ["cold-day", "snodom"].map { Recordings.samples.appendingPathComponent("Music/\($0).ogg") }
            let result = folder.appendingPathComponent("mix.wav")
            let outcome = try await Tool("MixSongs").run([songs[0].path, songs[1].path, result.path, "2"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let options = AssetReader.Options(sampleRate: 44_100, channels: .stereo)
            func samples(_ url: URL) async throws -> [Float] {
                var all: [Float] = []
                for try await block in try await AssetReader(url, options: options) {
                    if case .float32(let samples) = block.buffer.samples { all += samples }
                }
                return all
            }
            let (first, second, mixed) = (
                try await samples(songs[0]), try await samples(songs[1]), try await samples(result)
            )
            #expect(mixed.count == max(first.count, second.count + 2 * 88_200))
            // In the middle, where both are heard.
            let isSum = (400_000..<500_000).allSatisfy { place in
                abs(mixed[place] - 0.7 * first[place] - 0.3 * second[place - 2 * 88_200]) < 0.0001
            }
            #expect(isSum)
            // What is there is not overwritten.
            let again = try await Tool("MixSongs").run([songs[0].path, songs[1].path, result.path])
            #expect(again.status == 1 && again.errors.contains("mix.wav"))
        }
    }

    @Test("A song is drawn")
    func drawWaveform() async throws {
        try await withTemporaryFolder { folder in
            let song = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg").path
            let picture = folder.appendingPathComponent("song.svg")
            let outcome = try await Tool("DrawWaveform").run([song, picture.path, "400"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let svg = try String(contentsOf: picture, encoding: .utf8)
            #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
            #expect(svg.components(separatedBy: "<path").count == 5)
            let missing = try await Tool("DrawWaveform").run(["/nowhere.ogg", picture.path])
            #expect(missing.status == 1 && missing.errors.contains("/nowhere.ogg"))
        }
    }

    @Test(
        "The songs of a folder are converted, and what is shown is shown on the main thread",
        .requirements("R-MR-062")
    )
    func convertFolder() async throws {
        // The documentation says where reports come, and the example takes them to the main actor.
        let session = packageFolder.appendingPathComponent("Sources/EarshotMedia/Writing/ExportSession.swift")
        #expect(try String(contentsOf: session, encoding: .utf8).contains("on any thread"))
        let example = packageFolder.appendingPathComponent("Examples/ConvertFolder/main.swift")
        #expect(try String(contentsOf: example, encoding: .utf8).contains("@MainActor"))
        try await withTemporaryFolder { folder in
            let songs = folder.appendingPathComponent("songs")
            let results = folder.appendingPathComponent("results")
            try FileManager.default.createDirectory(at: songs, withIntermediateDirectories: false)
            for name in ["cold-day", "snodom"] {
                try FileManager.default.copyItem(
                    at: Recordings.samples.appendingPathComponent("Music/\(name).ogg"),
                    to: songs.appendingPathComponent("\(name).ogg")
                )
            }
            try Data("not music".utf8).write(to: songs.appendingPathComponent("notes.txt"))
            let outcome = try await Tool("ConvertFolder").run([songs.path, results.path, "wav"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("cold-day.ogg: cold-day.wav"))
            #expect(outcome.output.contains("snodom.ogg: 100 %"))
            let names = try FileManager.default.contentsOfDirectory(atPath: results.path).sorted()
            #expect(names == ["cold-day.wav", "snodom.wav"])
            let again = try await Tool("ConvertFolder").run([songs.path, results.path, "wav"])
            #expect(again.output.contains("exists"))
        }
    }

    @Test("the counting example counts titles, as text and as words")
    func countTitles() async throws {
        try await withTemporaryFolder { folder in
            for name in ["tagged.mp3", "tagged.ogg"] {
                try FileManager.default.copyItem(
                    at: Recordings.fixtures.appendingPathComponent(name),
                    to: folder.appendingPathComponent(name)
                )
            }
            let outcome = try await Tool("CountTitles").run([folder.path, "e"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 6 && lines[1] == "2 items", "\(outcome.output)")
            #expect(lines[4] == "2 titles hold \"e\"" && lines[5] == "0 titles hold it as words of their own")
            #expect(try await Tool("CountTitles").run(["/nowhere"]).errors.contains("/nowhere"))
            #expect(try await Tool("CountTitles").run([]).status == 2)
        }
    }
}
