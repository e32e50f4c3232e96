import EarshotCore
import Foundation

/// A file that is to become a reference, and the name it will have.
struct MusicFile: Sendable {
    let url: URL
    let id: ReferenceID
}

/// Finds the audio files below folders.
enum MusicFiles {
    /// Suffixes of files that are taken from folders. A file named by itself is taken whatever its suffix.
    private static let suffixes: Set<String> = [
        "aac", "ac3", "aif", "aifc", "aiff", "alac", "ape", "au", "avi", "caf", "dts", "flac", "flv", "gsm", "m2ts",
        "m4a", "m4b", "m4v", "mka", "mkv", "mov", "mp1", "mp2", "mp3", "mp4", "mpc", "mpeg", "mpg", "oga", "ogg", "ogv",
        "opus", "ra", "rm", "snd", "spx", "tak", "tta", "ts", "voc", "w64", "wav", "webm", "wma", "wmv", "wv",
    ]

    /// The files below folders, hidden ones left out, ordered by name.
    ///
    /// A reference is named by its path below the folder it was found in. Where several folders are given, the folder's
    /// own name stands before it.
    ///
    /// - Throws: `assetNotFound` for a path that is not there, `referenceExists` when two files would have one name.
    static func find(_ paths: [String]) throws -> [MusicFile] {
        var files: [MusicFile] = []
        for path in paths {
            let url = URL(fileURLWithPath: path).standardizedFileURL
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
                throw EarshotError(.assetNotFound, "There is no file or folder at \(path): check the path.")
            }
            guard isFolder.boolValue else {
                files.append(MusicFile(url: url, id: ReferenceID(url.lastPathComponent)))
                continue
            }
            let prefix = paths.count > 1 ? url.lastPathComponent + "/" : ""
            for relative in try relativePaths(below: url) {
                files.append(MusicFile(url: url.appendingPathComponent(relative), id: ReferenceID(prefix + relative)))
            }
        }
        files.sort { $0.id < $1.id }
        for (file, next) in zip(files, files.dropFirst()) where file.id == next.id {
            throw EarshotError(
                .referenceExists,
                "\(file.url.path) and \(next.url.path) would both be named \(file.id): rename one of the folders."
            )
        }
        return files
    }

    private static func relativePaths(below folder: URL) throws -> [String] {
        guard
            let walk = FileManager.default.enumerator(
                at: folder,
                includingPropertiesForKeys: [.isRegularFileKey],
                options: [.skipsHiddenFiles]
            )
        else {
            throw EarshotError(
                .assetUnreadable,
                "The folder \(folder.path) cannot be read: check that you may read it."
            )
        }
        let depth = folder.resolvingSymlinksInPath().pathComponents.count
        var paths: [String] = []
        for case let url as URL in walk {
            guard suffixes.contains(url.pathExtension.lowercased()),
                (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false
            else { continue }
            let components = url.resolvingSymlinksInPath().pathComponents
            let linked = url.pathComponents
            // Below a folder reached through a link, the path as walked is the one to keep.
            let tail = components.count > depth && components.starts(with: folder.resolvingSymlinksInPath().pathComponents)
                ? components.dropFirst(depth) : linked.dropFirst(folder.pathComponents.count)
            paths.append(tail.joined(separator: "/").precomposedStringWithCanonicalMapping)
        }
        return paths
    }
}
