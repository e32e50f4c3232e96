package import Foundation

/// Music files of every kind whose tags are written.
package enum MusicFixtures {
    /// The names of one file of each kind.
    package static let all = [
        "tagged.mp3", "half1.mp3", "aiff.aiff", "wav16.wav", "chirp.flac", "tagged.ogg", "chirp.opus", "tagged.m4a",
        "faststart.m4a", "chirp.wv",
    ]

    /// Copies some of them into a folder.
    package static func copy(_ names: [String], to folder: URL) throws -> [URL] {
        let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
        return try names.map { name in
            let copy = folder.appendingPathComponent(name)
            try Data(contentsOf: fixtures.appendingPathComponent(name)).write(to: copy)
            return copy
        }
    }

    /// Everything below a folder, by the path within it: the bytes of files, nothing for folders.
    package static func contents(_ folder: URL) throws -> [String: Data?] {
        var contents: [String: Data?] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let url = folder.appendingPathComponent(name)
            contents.updateValue(try? Data(contentsOf: url), forKey: name)
        }
        return contents
    }

    /// Makes a folder hold what it held at another time.
    package static func restore(_ contents: [String: Data?], to folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for (name, data) in contents.sorted(by: { $0.key < $1.key }) {
            let url = folder.appendingPathComponent(name)
            if let data {
                try data.write(to: url)
            } else {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
        }
    }

    /// A PNG of one pixel, with noise that makes it as long as wanted.
    package static func picture(_ byteCount: Int) -> [UInt8] {
        let head: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
            0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xDE,
        ]
        var generator = SeededGenerator(seed: 5)
        return head + (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}
