import Earshot
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("earshot piece, without a service")
struct PieceCommandTests {
    @Test(
        "a draft is checked without a network: all that is wrong is told, for programs too",
        .requirements("R-PC-029")
    )
    func validation() async throws {
        try await withTemporaryFolder { folder in
            func check(_ text: String, _ options: [String] = []) async throws -> Tool.Outcome {
                let file = folder.appendingPathComponent("draft.json")
                try Data(text.utf8).write(to: file)
                return try await Workshop.earshot.run(["piece", "check", file.path] + options)
            }
            let bad =
                #"{"title": "", "length": 0, "tempo": 1000, "timeSignature": {"upper": 17, "lower": 3}, "more": 1}"#
            let refused = try await check(bad, ["--json"])
            #expect(refused.status == 1)
            let report = try Document(refused.output)
            #expect(report["isValid"] as? Bool == false)
            let codes = (report["violations"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
            #expect(codes == ["titleTooShort", "pieceTooShort", "tempoTooHigh", "invalidTimeSignature"])
            let good = #"{"title": "Loop", "length": 2150000, "tempo": 120, "loop": {"start": 0, "end": 2150000}}"#
            let warned = try await check(good, ["--json"])
            #expect(warned.status == 0)
            #expect(try Document(warned.output)["warnings", 0, "code"] as? String == "loopOffBeat")
            let incomplete = try await check(#"{"title": "Loop"}"#)
            #expect(incomplete.status == 1 && incomplete.errors.contains("it has no length"))
            let broken = try await check("{")
            #expect(broken.status == 1 && broken.errors.contains("it is no JSON"))
        }
    }

    @Test("a recording becomes a package that says what was said of it, and opens into the same bytes")
    func package() async throws {
        try await withTemporaryFolder { folder in
            let sound = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
            let notes = folder.appendingPathComponent("notes.proj")
            try Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: notes)
            let file = folder.appendingPathComponent("ink.earpiece")
            let parent = UUID().uuidString.lowercased()
            let made = try await Workshop.earshot.run([
                "piece", "new", sound.path, "-o", file.path, "--title", "Ink", "--tempo", "98.5", "--loop", "0-4",
                "--meter", "7/8", "--key", "F# Dorian", "--attach", notes.path, "--based-on", parent, "--no-listening",
            ])
            #expect(made.status == 0, "\(made.errors)")
            let shown = try Document(try await Workshop.earshot.run(["piece", "show", file.path, "--json"]).output)
            #expect(shown["piece", "title"] as? String == "Ink")
            let opened = try await Workshop.earshot.run(["piece", "open", file.path, "-o", folder.path, "--json"])
            #expect(opened.status == 0, "\(opened.errors)")
            let reader = try PiecePackageReader(file)
            #expect(reader.draft.tempo == FixedTempo(98.5))
            #expect(reader.draft.timeSignature == TimeSignature(upper: 7, lower: 8))
            #expect(reader.draft.tonality.label == "F# Dorian")
            #expect(reader.draft.basedOn.map(\.description) == [parent])
            #expect(reader.draft.loop == LoopMarkers(start: 0, end: 4_000_000))
            #expect(try reader.mixStem().bytes == Data(contentsOf: sound))
            #expect(try reader.attachment()?.bytes == Data(contentsOf: notes))
            let saved = folder.appendingPathComponent("Ink/stem.ogg")
            #expect(try Data(contentsOf: saved) == Data(contentsOf: sound))
            let again = try await Workshop.earshot.run(["piece", "new", sound.path, "-o", file.path, "--no-listening"])
            #expect(again.status == 4)
        }
    }

    @Test("a folder of stems without a mix is mixed, and sound in other formats is converted")
    func stems() async throws {
        try await withTemporaryFolder { folder in
            let stems = folder.appendingPathComponent("Night Loop 92bpm Am")
            try FileManager.default.createDirectory(at: stems, withIntermediateDirectories: false)
            let clip = try await Workshop.shared().clip
            for name in ["drums.wav", "bass.wav"] {
                try FileManager.default.copyItem(at: clip, to: stems.appendingPathComponent(name))
            }
            let file = folder.appendingPathComponent("night.earpiece")
            let made = try await Workshop.earshot.run(["piece", "new", stems.path, "-o", file.path, "--no-listening"])
            #expect(made.status == 0, "\(made.errors)")
            let package = try PiecePackageReader(file).package()
            #expect(package.draft.title == "Night Loop" && package.draft.tempo == FixedTempo(92))
            #expect(package.draft.tonality == .minor(.a))
            #expect(package.stems.map(\.name) == ["bass", "drums"])
            #expect(abs(package.draft.length.seconds - 8 / 1.03) < 0.01)
            let song = folder.appendingPathComponent("song.flac")
            let converted = try await Workshop.earshot.run(["convert", clip.path, "-o", song.path])
            #expect(converted.status == 0)
            let other = folder.appendingPathComponent("song.earpiece")
            let taken = try await Workshop.earshot.run(["piece", "new", song.path, "-o", other.path, "--no-listening"])
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try PiecePackageReader(other).package().mix.format == .wave)
        }
    }

    @Test(
        "an address of another app, or of none, ends with 3",
        .requirements("R-PC-095"),
        arguments: [
            "piece-other://open?id=0b7c5f52-3a51-4c55-9a39-9f6a35a4c1de", "piece-earshot://close?id=1", "no address",
            "piece-earshot://open?id=1",
        ]
    )
    func foreign(address: String) async throws {
        let outcome = try await Workshop.earshot.run(["piece", "open", address])
        #expect(outcome.status == 3, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("a key is told with its older label, its notes and the shift to another")
    func key() async throws {
        let outcome = try await Workshop.earshot.run([
            "piece", "key", "--mask", "2477", "--root", "0", "--to", "B minor", "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let key = try Document(outcome.output)
        #expect(key["label"] as? String == "C harmonic minor" && key["legacyLabel"] as? String == "Exotic")
        #expect(key["members"] as? [String] == ["C", "D", "D#", "F", "G", "G#", "B"])
        #expect(key["shift"] as? Int == -1)
        let unknown = try await Workshop.earshot.run(["piece", "key", "X minor"])
        #expect(unknown.status == 1 && unknown.errors.contains("X minor"))
    }

    #if os(Linux)
        @Test("the desktop is told who opens addresses of an app, with odd names in quotes, and forgets it again")
        func registration() async throws {
            try await withTemporaryFolder { folder in
                let environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
                let program = "/opt/My \"App\" 100%/run"
                let arguments = ["piece", "register-scheme", "Sketcher"]
                let made = try await Workshop.earshot.run(
                    arguments + ["--", program, "--open"],
                    environment: environment
                )
                #expect(made.status == 0, "\(made.errors)")
                let entry = folder.appendingPathComponent("applications/earshot-piece-sketcher.desktop")
                let text = try String(contentsOf: entry, encoding: .utf8)
                #expect(text.contains(#"Exec="/opt/My \\"App\\" 100%%/run" --open %u"#))
                #expect(text.contains("MimeType=x-scheme-handler/piece-sketcher;\n"))
                let taken = try await Workshop.earshot.run(arguments + ["--remove"], environment: environment)
                #expect(taken.status == 0, "\(taken.errors)")
                #expect(!FileManager.default.fileExists(atPath: entry.path))
                let refused = try await Workshop.earshot.run(
                    ["piece", "register-scheme", "my app"],
                    environment: environment
                )
                #expect(refused.status == 1 && refused.errors.contains("my app"))
            }
        }
    #endif
}
