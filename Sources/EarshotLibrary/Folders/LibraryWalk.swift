import EarshotCore
import EarshotMedia
import Foundation

/// The files below a folder with their stamps, in the order of the bytes of their paths.
///
/// Links are followed, and each folder is entered once, under the first of its names, so that links in a circle end. Hidden files
/// and folders, pipes and devices are left out. No file is opened.
struct LibraryWalk: Sendable {
    struct File: Hashable, Sendable {
        let path: String
        let stamp: FileStamp
    }

    /// Files whose suffixes are those of audio.
    private(set) var files: [File] = []
    /// Files whose suffixes are those of playlists.
    private(set) var playlists: [String] = []
    /// Folders that could not be read, with why.
    private(set) var failures: [(path: String, error: EarshotError)] = []
    /// All folders that were entered.
    private(set) var folders: [String] = []

    private static let playlistSuffixes: Set<String> = ["m3u", "m3u8", "pls", "xspf"]

    private struct Place: Hashable {
        let device: UInt64
        let node: UInt64
    }

    /// Looks below a folder. The call blocks.
    ///
    /// - Throws: `assetNotFound` where there is no such folder, `libraryAccessDenied` where it may not be read, `cancelled`.
    init(_ top: String, cancellation: Cancellation = .init()) throws(EarshotError) {
        var entered: Set<Place> = []
        var open = [top]
        while let folder = open.popLast() {
            if cancellation.isCancelled { throw EarshotError(.cancelled, "Looking through \(top) was cancelled.") }
            var status = stat()
            guard stat(folder, &status) == 0 else {
                let error = Self.failure(errno, folder)
                if folder == top { throw error }
                failures.append((folder, error))
                continue
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw EarshotError(.assetNotFound, "\(top) is no folder: name the folder that the music is in.")
            }
            let place = Place(device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(status.st_ino))
            guard entered.insert(place).inserted else { continue }
            guard let names = Self.names(in: folder) else {
                let error = Self.failure(errno, folder)
                if folder == top { throw error }
                failures.append((folder, error))
                continue
            }
            folders.append(folder)
            // The first name is looked below first, so that of two links to one folder it is the first that counts.
            for name in names.sorted(by: { $1.utf8.lexicographicallyPrecedes($0.utf8) }) {
                take(folder == "/" ? "/" + name : folder + "/" + name, name, &open)
            }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        playlists.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func take(_ path: String, _ name: String, _ open: inout [String]) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: open.append(path)
        case S_IFREG:
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
            let suffix = name[name.utf8.index(after: dot)...].lowercased()
            if MediaSuffixes.audible.contains(suffix) {
                files.append(File(path: path, stamp: FileStamp(status)))
            } else if Self.playlistSuffixes.contains(suffix) {
                playlists.append(path)
            }
        default: break
        }
    }

    /// The names in a folder but for hidden ones; nothing when it cannot be read.
    private static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    // A name that is no UTF-8 could not be opened under the name that is kept.
                    String(validatingCString: $0)
                }
            }
            if let name, !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func failure(_ number: Int32, _ path: String) -> EarshotError {
        switch number {
        case ENOENT, ENOTDIR: EarshotError(.assetNotFound, "There is no folder \(path): check the path.")
        case EACCES, EPERM:
            EarshotError(
                .libraryAccessDenied,
                "You have no permission to look into \(path): change its access rights, or leave it out."
            )
        default:
            EarshotError(
                .readFailed,
                "The folder \(path) cannot be read (\(String(cString: strerror(number)))): check the disk."
            )
        }
    }
}

extension FileStamp {
    init(_ status: stat) {
        let time = FileTime(status)
        self.init(
            size: Int64(status.st_size),
            seconds: time.seconds,
            nanoseconds: time.nanoseconds,
            node: UInt64(status.st_ino)
        )
    }
}
