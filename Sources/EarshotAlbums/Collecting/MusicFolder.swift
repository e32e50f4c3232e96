import EarshotMedia
public import EarshotCore
public import Foundation

/// The music below a folder: which files there are, and how they are named from it.
public struct MusicFolder: Sendable {
    /// A file below it.
    public struct File: Hashable, Sendable {
        /// The file.
        public var url: URL
        /// The folders below the top that lead to it, and its own name.
        public var path: [String]

        /// A file.
        public init(_ url: URL, path: [String]) {
            self.url = url
            self.path = path
        }

        /// The path from the top, by which answers name it.
        public var id: String { path.joined(separator: "/") }
    }

    /// The files, in the order of their paths.
    public private(set) var files: [File] = []
    /// Folders that could not be read.
    public private(set) var failures: [FileFailure] = []

    /// Looks below a folder. Hidden files are left out, and files whose suffix is none of sound; links are followed, and each folder
    /// is entered once.
    ///
    /// - Parameter top: The folder.
    /// - Throws: `assetNotFound` when it is not there, `fileAccessDenied` when it may not be read, `cancelled`.
    public init(_ top: URL) async throws(EarshotError) {
        let result = await Task.detached { () -> Result<MusicFolder, EarshotError> in
            do throws(EarshotError) {
                return .success(try MusicFolder(blocking: top))
            } catch {
                return .failure(error)
            }
        }.value
        self = try result.get()
    }

    private init(blocking top: URL) throws(EarshotError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: top.path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no folder at \(top.path): check the path.")
        }
        guard isFolder.boolValue else {
            files = [File(top, path: [top.lastPathComponent])]
            return
        }
        var entered: Set<String> = []
        walk(top, [], &entered)
        if files.isEmpty, let failure = failures.first, failure.file.isEmpty {
            throw EarshotError(.fileAccessDenied, "The folder \(top.path) cannot be read: check that you may read it.")
        }
    }

    private mutating func walk(_ folder: URL, _ path: [String], _ entered: inout Set<String>) {
        guard entered.insert(folder.resolvingSymlinksInPath().path).inserted, path.count < 64 else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            let error = EarshotError(
                .fileAccessDenied,
                "The folder \(folder.path) cannot be read: check that you may read it."
            )
            failures.append(FileFailure(file: path.joined(separator: "/"), error))
            return
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            let url = folder.appendingPathComponent(name)
            // Through links; pipes and devices count as nothing.
            let type = (try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path))?[.type]
            switch type as? FileAttributeType {
            case .typeDirectory?: walk(url, path + [name], &entered)
            case .typeRegular? where MediaSuffixes.audible.contains(url.pathExtension.lowercased()):
                files.append(File(url, path: path + [name]))
            default: break
            }
        }
    }
}
