import Foundation
import TestSupport
import Testing

/// Every command for media files, with each exit status that it has: 0 done, 1 failed, protected and unreadable files among the
/// reasons, 2 wrong usage, 3 nothing found, 4 the destination exists. `scripts/checks/convert-speed` shows 130, interrupted.
@Suite("earshot: commands for media and libraries, and how they end")
struct MediaCommandTests {
    @Test("each does what it is for, and ends with the status that belongs to it", .requirements("R-MR-135"))
    func commands() async throws {
        let clip = try await Workshop.shared().clip.path
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("music")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Recordings.fixtures.appendingPathComponent("tagged.mp3"),
                to: music.appendingPathComponent("a.mp3")
            )
            let song = music.appendingPathComponent("a.mp3").path
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            let environment = userEnvironment(home: folder.appendingPathComponent("home"))
                .merging(["EARSHOT_FOLDERS": path("folders.sqlite")]) { $1 }
            func run(_ arguments: [String], _ status: Int32, _ sign: String = "") async throws {
                let outcome = try await Workshop.earshot.run(arguments, environment: environment)
                let what = "\(arguments.joined(separator: " ")): \(outcome.output)\(outcome.errors)"
                #expect(outcome.status == status, "\(what)")
                #expect(sign.isEmpty || (outcome.output + outcome.errors).contains(sign), "\(what)")
            }
            // What a file is.
            try await run(["probe", clip], 0, "pcm")
            try await run(["probe", clip, "--json"], 0, "\"sampleRate\"")
            try await run(["probe", path("nowhere.wav")], 1, "nowhere.wav")
            try await run(["probe"], 2)
            // Samples, in every setting, and passing encoded sound through.
            let settings = ["--rate", "22050", "--channels", "1", "--bits", "24"]
            try await run(["convert", clip, "-o", path("a.caf")] + settings, 0, "a.caf")
            try await run(["convert", clip, "-o", path("a.caf")], 4, "exists already")
            try await run(["convert", clip, "-o", path("a.caf"), "--replace"], 0)
            try await run(["convert", clip, "-o", path("a.xyz")], 1, "a.xyz")
            try await run(["convert", clip, "-o", path("b.wav"), "--rate", "fast"], 2)
            let movie = Recordings.fixtures.appendingPathComponent("tagged.m4a").path
            try await run(["convert", movie, "-o", path("copy.m4a"), "--preset", "passthrough"], 0, "copy.m4a")
            // Layouts of samples.
            let layout = ["--bits", "32", "--float", "--big-endian", "--planar"]
            try await run(["convert", clip, "-o", path("a.raw")] + layout, 0, "a.raw")
            // What is protected, and what is no recording.
            let protected = Recordings.fixtures.appendingPathComponent("protected.mp4").path
            try Data("text".utf8).write(to: folder.appendingPathComponent("text.mp3"))
            for file in [protected, path("text.mp3")] {
                let name = URL(fileURLWithPath: file).lastPathComponent
                try await run(["convert", file, "-o", path("none.wav")], 1, name)
                #expect(!FileManager.default.fileExists(atPath: path("none.wav")))
            }
            try await run(["probe", path("text.mp3")], 1, "text.mp3")
            // How it looks.
            try await run(["waveform", clip, "-o", path("a.json")], 0)
            try await run(["waveform", clip, "-o", path("a.png")], 0)
            try await run(["waveform", path("nowhere.wav"), "-o", path("b.json")], 1, "nowhere.wav")
            // Libraries.
            try await run(["library", "list"], 1, "earshot library scan")
            try await run(["library", "scan", music.path, "--jsonl"], 0, "\"added\"")
            try await run(["library", "scan", path("nowhere")], 1, "nowhere")
            try await run(["library", "scan"], 2)
            try await run(["library", "list", "--jsonl"], 0, song)
            try await run(["library", "find", "play track 夜の音 “Earshot”", "--json"], 0, "\"candidates\"")
            try await run(["library", "list", "--title", "no such title"], 3)
            try await run(["library", "find", "play nothing that is there", "--json"], 3, "\"candidates\"")
            try await run(["library", "find", "hum a tune"], 3)
            try await run(["library", "untagged", "--field", "title", "--json"], 3, "\"items\"")
            try await run(["analyse", music.path, "--only", "loudness", "--jsonl"], 0, "integrated")
            try await run(["analyse", music.path, "--only", "taste"], 2)
            try await run(["analyse", path("nowhere")], 1, "nowhere")
            // Times.
            try await run(["time", "convert", "7938000@44100", "600"], 0, "108000@600")
            for (method, value) in [("nearest", 0), ("zero", 0), ("away", 1), ("up", 1), ("down", 0), ("legacy", 0)] {
                try await run(["time", "convert", "1@44100", "600", "--round", method], 0, "\(value)@600")
            }
            try await run(["time", "convert", "7938000", "600"], 2)
        }
    }
}
