public import EarshotCore
import EarshotMedia
public import Foundation

/// The music below a folder: which files there are, and how they are named from it.
public struct MusicFolder: Sendable {
    /// A file of a collection.
    public struct File: Hashable, Sendable {
        /// The file.
        public var url: URL
        /// The unique identifier of the file in results.
        public var id: String
        /// The folders that lead to it, and its own name: they may say whose music it is.
        public var path: [String]

        /// A file below a folder, named by the path from there.
        public init(_ url: URL, path: [String]) {
            self.url = url
            self.path = path
            id = path.joined(separator: "/")
        }

        /// Creates a single file. Its identifier is the given path; the two folders above it are taken for album and artist.
        public init(_ url: URL) {
            self.url = url
            id = url.relativePath
            path = url.standardizedFileURL.pathComponents.suffix(3).filter { $0 != "/" }
        }
    }

    /// The files, in the order of their paths.
    public private(set) var files: [File] = []
    /// Folders that could not be read.
    public private(set) var failures: [FileFailure] = []

    /// Lists the audio files below a folder. Hidden files and files with other suffixes are skipped. Links are
    /// followed, and each folder is entered once.
    ///
    /// - Parameter top: The folder.
    /// - Throws: `assetNotFound` when it is not there or has no music in it, `fileAccessDenied` when it may not be read.
    public init(_ top: URL) async throws(EarshotError) {
        self = try await BlockingWork.run { () throws(EarshotError) in try MusicFolder(blocking: top) }
    }

    private init(blocking top: URL) throws(EarshotError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: top.path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no folder at \(top.path): check the path.")
        }
        guard isFolder.boolValue else {
            files = [File(top)]
            return
        }
        let walk = FolderWalk(top.path, suffixes: MediaSuffixes.audible)
        guard walk.failures.first?.path != [] else {
            throw EarshotError(.fileAccessDenied, "The folder \(top.path) cannot be read: check that you may read it.")
        }
        files = walk.files.map { File($0.url, path: $0.path) }
        failures = walk.failures.map { failure in
            let error = EarshotError(
                .fileAccessDenied,
                "The folder \(failure.location) cannot be read: check that you may read it."
            )
            return FileFailure(file: failure.path.joined(separator: "/"), error)
        }
        guard !files.isEmpty || !failures.isEmpty else {
            // An empty folder is more often a disk that is not mounted than music that is gone.
            throw EarshotError(
                .assetNotFound,
                "There is no music below \(top.path): name a folder with music in it."
            )
        }
    }
}
