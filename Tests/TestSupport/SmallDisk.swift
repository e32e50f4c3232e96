package import Foundation

/// A file system of its own that is soon full, for tests: a folder of memory. Only root on Linux can have one.
package enum SmallDisk {
    /// Whether one can be had here.
    package static let isThere: Bool = {
        #if os(Linux)
            guard geteuid() == 0 else { return false }
            return (try? with(kibibytes: 64) { _ in true }) ?? false
        #else
            return false
        #endif
    }()

    package struct Refused: Error {}

    /// Runs a test with one.
    ///
    /// - Parameters:
    ///   - kibibytes: How much it holds.
    ///   - body: Given its folder.
    package static func with<Result>(kibibytes: Int, _ body: (URL) throws -> Result) throws -> Result {
        #if os(Linux)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "earshot-disk-\(UUID().uuidString)"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { throw Refused() }
            defer { umount(folder.path) }
            return try body(folder)
        #else
            throw Refused()
        #endif
    }
}
