import EarshotCore
import EarshotMedia
import Foundation

/// A walk through a folder that finds files of audio with their stamps, in the order of the bytes of their paths. It
/// opens no file.
struct LibraryWalk: Sendable {
    struct File: Hashable, Sendable {
        let path: String
        let stamp: FileStamp
    }

    /// Files whose suffixes are those of audio.
    let files: [File]
    /// Folders that could not be read, with why.
    let failures: [(path: String, error: EarshotError)]
    /// All folders that were entered.
    let folders: [String]

    /// Looks below a folder. The call blocks.
    ///
    /// - Parameters:
    ///   - top: The folder.
    ///   - bound: The folder that links may not lead out of, by its path without links.
    ///   - cancellation: Ends it.
    /// - Throws: `assetNotFound` where there is no such folder, `libraryAccessDenied` where it may not be read, `cancelled`.
    init(_ top: String, within bound: String? = nil, cancellation: Cancellation = .init()) throws(EarshotError) {
        let walk = FolderWalk(top, suffixes: MediaSuffixes.audible, within: bound) { cancellation.isCancelled }
        if cancellation.isCancelled { throw EarshotError(.cancelled, "Looking through \(top) was canceled.") }
        if let failure = walk.failures.first, failure.path.isEmpty { throw Self.error(failure, isTop: true) }
        failures = walk.failures.map { ($0.location, Self.error($0, isTop: false)) }
        folders = walk.folders
        files = walk.files.map { File(path: $0.location, stamp: FileStamp($0)) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private static func error(_ failure: FolderWalk.Failure, isTop: Bool) -> EarshotError {
        let path = failure.location
        switch failure.number {
        case ENOTDIR where isTop && access(path, F_OK) == 0:
            return EarshotError(.assetNotFound, "\(path) is no folder: name the folder that the music is in.")
        case ENOENT, ENOTDIR: return EarshotError(.assetNotFound, "There is no folder \(path): check the path.")
        case EACCES, EPERM:
            return EarshotError(
                .libraryAccessDenied,
                "You have no permission to look into \(path): change its access rights, or leave it out."
            )
        default:
            return EarshotError(
                .readFailed,
                "The folder \(path) cannot be read (\(String(cString: strerror(failure.number)))): check the disk."
            )
        }
    }
}

extension FileStamp {
    init(_ file: FolderWalk.File) {
        self.init(
            size: file.size,
            seconds: file.time.seconds,
            nanoseconds: file.time.nanoseconds,
            node: file.node
        )
    }
}
