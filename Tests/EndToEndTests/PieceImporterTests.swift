import Earshot
import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

@Suite("What earshot piece takes in")
struct PieceImporterTests {
    @Test("a folder may have sound in any format: a mix in FLAC is the mix, and Opus in Ogg a stem")
    func formats() async throws {
        try await withTemporaryFolder { folder in
            let stems = folder.appendingPathComponent("Loop")
            try FileManager.default.createDirectory(at: stems, withIntermediateDirectories: false)
            let clip = try await Workshop.shared().clip
            for name in ["mix.flac", "bass.opus"] {
                let target = stems.appendingPathComponent(name)
                let converted = try await Workshop.earshot.run(["convert", clip.path, "-o", target.path])
                #expect(converted.status == 0, "\(converted.errors)")
            }
            try FileManager.default.moveItem(
                at: stems.appendingPathComponent("bass.opus"),
                to: stems.appendingPathComponent("bass.ogg")
            )
            try FileManager.default.copyItem(at: clip, to: stems.appendingPathComponent("drums.wav"))
            try Data("notes".utf8).write(to: stems.appendingPathComponent("notes.txt"))
            let file = folder.appendingPathComponent("loop.earpiece")
            let made = try await Workshop.earshot.run(["piece", "new", stems.path, "-o", file.path, "--no-listening"])
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.errors.contains("Left out: notes.txt"))
            let package = try PiecePackageReader(file).package()
            #expect(package.mix.format == .wave && package.mix.fileName == "mix.wav")
            #expect(package.stems.map(\.name) == ["bass", "drums"])
        }
    }

    @Test("what begins as M4A goes in as it is where it is AAC and nothing else, and is converted otherwise")
    func aacAlone() async throws {
        try await withTemporaryFolder { folder in
            let stems = folder.appendingPathComponent("夜の Loop")
            try FileManager.default.createDirectory(at: stems, withIntermediateDirectories: false)
            let clip = try await Workshop.shared().clip
            for (name, encoding) in [("mix", "alac"), ("bass", "aac")] {
                let target = stems.appendingPathComponent("\(name).m4a")
                let arguments = ["convert", clip.path, "-o", target.path, "--encoding", encoding]
                let converted = try await Workshop.earshot.run(arguments)
                #expect(converted.status == 0, "\(converted.errors)")
            }
            let file = folder.appendingPathComponent("loop.earpiece")
            let made = try await Workshop.earshot.run(["piece", "new", stems.path, "-o", file.path, "--no-listening"])
            #expect(made.status == 0, "\(made.errors)")
            let package = try PiecePackageReader(file).package()
            #expect(package.mix.format == .wave && package.stems.map(\.sound.format) == [.aacM4A])
            let video = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/film.mp4")
            let other = folder.appendingPathComponent("video.earpiece")
            let taken = try await Workshop.earshot.run(["piece", "new", video.path, "-o", other.path, "--no-listening"])
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try PiecePackageReader(other).package().mix.format == .wave)
        }
    }

    @Test("a package that is not there is said to be missing, with no service named", arguments: ["show", "open"])
    func missing(command: String) async throws {
        let outcome = try await Workshop.earshot.run(["piece", command, "none/at 全.earpiece"])
        #expect(outcome.status == 1 && outcome.errors.contains("There is no file none/at 全.earpiece"))
    }

    @Test("the only sound of a folder is not made the mix beside a file of an unknown kind that is called so")
    func otherMix() async throws {
        try await withTemporaryFolder { folder in
            let stems = folder.appendingPathComponent("Loop")
            try FileManager.default.createDirectory(at: stems, withIntermediateDirectories: false)
            let clip = try await Workshop.shared().clip
            try FileManager.default.copyItem(at: clip, to: stems.appendingPathComponent("drums.wav"))
            try Data("mix".utf8).write(to: stems.appendingPathComponent("mix.xyz"))
            let file = folder.appendingPathComponent("loop.earpiece")
            let made = try await Workshop.earshot.run(["piece", "new", stems.path, "-o", file.path, "--no-listening"])
            #expect(made.status != 0 && made.errors.contains("Left out: mix.xyz"))
            #expect(made.errors.contains("rename one of them"))
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("a draft whose key is none is told with all else that is wrong with it", .requirements("R-PC-026"))
    func types() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("draft.json")
            let text =
                #"{"title": "", "length": 0, "id": "x", "tonality": {"state": "tonal", "scale": [true], "root": 12}}"#
            try Data(text.utf8).write(to: file)
            let refused = try await Workshop.earshot.run(["piece", "check", file.path, "--json"])
            #expect(refused.status == 1)
            let violations = try Document(refused.output)["violations"] as? [[String: Any]] ?? []
            #expect(
                violations.compactMap { $0["code"] as? String }
                    == ["titleTooShort", "pieceTooShort", "invalidTonality", "invalidProvenance"]
            )
        }
    }

    @Test(
        "the folder of a piece is one, whatever its title is",
        arguments: ["a/b", "a/\u{338}b", "../\u{338}a", "/\u{200D}etc", ".\u{338}a", "..", "\\\u{301}"]
    )
    func place(title: String) {
        let parent = URL(fileURLWithPath: "/tmp/pieces")
        let place = SavedPiece.place(title, nil, in: parent).path
        #expect(place.utf8.starts(with: "/tmp/pieces/".utf8))
        let name = place.utf8.dropFirst("/tmp/pieces/".utf8.count)
        #expect(!name.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
        #expect(!name.isEmpty && name.first != UInt8(ascii: "."))
    }
}
