import EarshotCore
import Foundation
import TestSupport

@testable import EarshotServer

/// Media folders for the test services.
///
/// | file | what it is |
/// |---|---|
/// | `music/Album/tagged.mp3`, `tagged.m4a`, `tagged.ogg` | two seconds, with Japanese tags |
/// | `music/Album/long.flac` | 4.54 s, no tags |
/// | `music/surround.wav` | six channels |
/// | `music/late.mkv` | sound that begins half a second late |
/// | `music/damaged.mp3` | no media |
/// | `music/out`, `music/out.wav`, `music/lost` | links to a folder and a file outside, and to nothing |
/// | `music/in.flac` | a link to a file inside |
/// | `secret.wav` | beside the media folder |
struct TestMedia {
    let folder: URL
    var music: URL { folder.appendingPathComponent("music") }
    var exports: URL { folder.appendingPathComponent("exports") }

    static let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")

    init(in folder: URL) throws {
        self.folder = folder
        let files = FileManager.default
        let album = folder.appendingPathComponent("music/Album")
        for url in [album, folder.appendingPathComponent("exports"), folder.appendingPathComponent("outside")] {
            try files.createDirectory(at: url, withIntermediateDirectories: true)
        }
        func copy(_ name: String, _ target: String) throws {
            try files.copyItem(
                at: Self.fixtures.appendingPathComponent(name),
                to: folder.appendingPathComponent(target)
            )
        }
        for name in ["tagged.mp3", "tagged.m4a", "tagged.ogg", "long.flac"] { try copy(name, "music/Album/\(name)") }
        try copy("surround.wav", "music/surround.wav")
        try copy("late.mkv", "music/late.mkv")
        try copy("wav16.wav", "secret.wav")
        try copy("wav16.wav", "outside/inside.wav")
        try Data("This is no music.".utf8).write(to: music.appendingPathComponent("damaged.mp3"))
        func link(_ name: String, _ target: String) throws {
            try files.createSymbolicLink(atPath: music.appendingPathComponent(name).path, withDestinationPath: target)
        }
        try link("out", "../outside")
        try link("out.wav", folder.appendingPathComponent("secret.wav").path)
        try link("lost", "../nothing")
        try link("in.flac", "Album/long.flac")
    }

    /// A file of eighteen hours of silence, which takes no room: whatever is done with it is not over before it is canceled.
    func addLongFile(_ name: String) throws {
        var header = TestMusic.wave([])
        let size: UInt32 = 2_000_000_000
        for (place, value) in [(4, size + 36), (40, size)] {
            withUnsafeBytes(of: value.littleEndian) { header.replaceSubrange(place..<place + 4, with: $0) }
        }
        let url = music.appendingPathComponent(name)
        try header.write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(size) + 44)
        try handle.close()
    }

    /// A service with these folders.
    static func run(
        files: (any FileDecoder)? = nil,
        _ change: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService, TestMedia) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let media = try TestMedia(in: folder)
            var settings = ServiceSettings()
            settings.mediaRoots = [try MediaRoot(name: "music", folder: media.music)]
            settings.exportFolder = media.exports
            change(&settings)
            try await TestService.run(settings, files: files) { (service: TestService) async throws in
                try await body(service, media)
            }
        }
    }

    /// What lies in the folder of exports, hidden files too.
    var exported: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: exports.path)) ?? []).sorted() }

    /// An identifier as it stands in a path.
    static func escaped(_ id: String) -> String {
        id.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
