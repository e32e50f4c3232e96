import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import EarshotLibrary

/// Every condition that reading, writing and libraries of music know, provoked.
@Suite("The conditions of media and libraries")
struct ErrorTableTests {
    private static let samples = packageFolder.appendingPathComponent("Samples/Music")
    private static let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
    private static let song = samples.appendingPathComponent("snodom.ogg")

    /// A condition, the code that it has, words of its message, the file and the step, and what brings it about.
    struct Condition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: EarshotError.Code
        let words: [String]
        let provoke: @Sendable (URL) async throws -> Void
    }

    private static func read(_ url: URL) async throws {
        for try await _ in try await AssetReader(url) {}
    }

    private static func patched(_ name: String, in folder: URL, _ change: (inout Data) -> Void) throws -> URL {
        var data = try Data(contentsOf: fixtures.appendingPathComponent(name))
        change(&data)
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }

    private static let conditions = [
        Condition(testDescription: "a protected file", code: .assetProtected, words: ["protected.mp4", "decoded"]) {
            _ in
            try await read(fixtures.appendingPathComponent("protected.mp4"))
        },
        Condition(testDescription: "an item without asset", code: .assetUnavailable, words: ["Cloud"]) { _ in
            _ = try MusicItem(id: ItemID(rawValue: "1"), title: "Cloud").requireAsset()
        },
        Condition(testDescription: "a file that is no media", code: .assetUnreadable, words: ["song.mp3", "opened"]) {
            folder in
            let url = folder.appendingPathComponent("song.mp3")
            try Data("not music".utf8).write(to: url)
            try await read(url)
        },
        Condition(
            testDescription: "an encoding that is not known",
            code: .codecUnsupported,
            words: ["alac.m4a", "decoded"]
        ) { folder in
            try await read(
                patched("alac.m4a", in: folder) { data in
                    while let place = data.range(of: Data("alac".utf8)) {
                        data.replaceSubrange(place, with: Data("qqqq".utf8))
                    }
                }
            )
        },
        Condition(testDescription: "an input that cannot be added", code: .pipelineRefused, words: ["a.mp3", "input"]) {
            folder in
            let writer = try AssetWriter(to: folder.appendingPathComponent("a.mp3"))
            _ = try writer.addInput(AudioFormat(sampleRate: 44_100, channelCount: 2), encoding: .flac(bits: nil))
        },
        Condition(testDescription: "a destination that exists", code: .destinationExists, words: ["a.wav", "exists"]) {
            folder in
            let url = folder.appendingPathComponent("a.wav")
            try Data().write(to: url)
            try await ExportSession(song, to: url).export()
        },
        Condition(
            testDescription: "a type and an extension that clash",
            code: .fileTypeUnsupported,
            words: ["a.wav", "written"]
        ) { folder in
            try await ExportSession(song, to: folder.appendingPathComponent("a.wav"), as: .caf).export()
        },
        Condition(testDescription: "a file that breaks off", code: .readFailed, words: ["long.flac", "reading"]) {
            folder in
            try await read(patched("long.flac", in: folder) { $0 = $0.prefix($0.count / 2) })
        },
        Condition(testDescription: "a folder that cannot be written into", code: .writeFailed, words: ["gone", "writ"])
        { folder in
            try await ExportSession(song, to: folder.appendingPathComponent("gone/a.wav")).export()
        },
        Condition(testDescription: "a reader that is canceled", code: .cancelled, words: ["snodom.ogg", "reading"]) {
            _ in
            let reader = try await AssetReader(song)
            reader.cancel()
            for try await _ in reader {}
        },
        Condition(testDescription: "a library that may not be read", code: .libraryAccessDenied, words: []) { _ in
            let library = MemoryMusicLibrary([], failure: EarshotError(.libraryAccessDenied, "No: allow it."))
            _ = try await library.items()
        },
    ]

    @Test("Each has its code, and words for people", .requirements("R-MR-099", "R-MR-101"), arguments: conditions)
    func condition(_ condition: Condition) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("conditions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try await condition.provoke(folder)
            Issue.record("nothing was thrown")
        } catch let error as EarshotError {
            #expect(error.code == condition.code)
            for word in condition.words {
                #expect(error.message.lowercased().contains(word.lowercased()), "\(error.message)")
            }
            // Where reading ended is told too.
            #expect(error.code != .readFailed || error.position != nil)
            // Whoever cancels needs no remedy.
            #expect(error.message.contains(":") || (error.code == .cancelled && !error.message.isEmpty))
        }
    }
}
