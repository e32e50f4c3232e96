import Earshot
import Foundation
import TestSupport

/// A folder with short pieces of the sample music, a catalog of them, and damaged recordings, made once for all tests.
///
/// Short, because the tests run unoptimized.
struct Workshop: Sendable {
    static let earshot = Tool("earshot")

    let folder: URL
    /// A folder of music with a folder inside and names that need care.
    var music: URL { folder.appendingPathComponent("music") }
    var catalog: URL { folder.appendingPathComponent("music.earcat") }
    /// 8 s from 12 s of `warm ink 日本.wav` on, 3 % fast, in noise.
    var clip: URL { folder.appendingPathComponent("clip.wav") }
    /// 8 s of music that is not in the catalog.
    var foreign: URL { folder.appendingPathComponent("foreign.wav") }

    static let clipName = "music/inner folder/warm ink 日本.wav"

    /// The shared one.
    static func shared() async throws -> Workshop { try await making.value }

    private static let making = Task { try await Workshop() }

    /// Where it stands; taken away when the tests end.
    private static let place: URL = {
        atexit { try? FileManager.default.removeItem(at: Workshop.place) }
        return FileManager.default.temporaryDirectory
            .appendingPathComponent("earshot-workshop-\(UUID().uuidString)")
    }()

    private init() async throws {
        let folder = Self.place
        self.folder = folder
        let inner = folder.appendingPathComponent("music/inner folder")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let sources = Recordings.samples.appendingPathComponent("Music")
        let warm = try await Recordings.audio(sources.appendingPathComponent("warm-ink.ogg"), seconds: 0..<30)
        let cold = try await Recordings.audio(sources.appendingPathComponent("win-game.ogg"), seconds: 0..<24)
        try Recordings.wave(warm).write(to: folder.appendingPathComponent(Self.clipName))
        try Recordings.wave(cold).write(to: folder.appendingPathComponent("music/win.wav"))
        try Data("not music".utf8).write(to: folder.appendingPathComponent("music/broken.mp3"))
        try Data("notes".utf8).write(to: folder.appendingPathComponent("music/readme.txt"))
        let cut = Array(warm[12 * 16_000..<20 * 16_000])
        try Recordings.wave(Recordings.damaged(cut, speed: 1.03, noise: 0.3, seed: 1)).write(
            to: folder.appendingPathComponent("clip.wav")
        )
        let unknown = Recordings.samples.appendingPathComponent("Unknown/geoscape-theme-1.ogg")
        try Recordings.wave(try await Recordings.audio(unknown, seconds: 20..<28))
            .write(to: folder.appendingPathComponent("foreign.wav"))
        creation = try await Self.earshot.run([
            "catalog", "create", folder.appendingPathComponent("music").path, "-o",
            folder.appendingPathComponent("music.earcat").path, "--json",
        ])
    }

    /// What making the catalog printed.
    let creation: Tool.Outcome
}

/// A JSON document read loosely.
struct Document {
    let root: Any

    init(_ text: String) throws {
        root = try JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    /// The value at a path of names and numbers.
    subscript(_ path: Any...) -> Any? {
        path.reduce(root as Any?) { value, step in
            switch step {
            case let name as String: (value as? [String: Any])?[name]
            case let index as Int: (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil }
            default: nil
            }
        }
    }
}
