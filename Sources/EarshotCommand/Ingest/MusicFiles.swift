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
        "3g2", "3gp", "aac", "ac3", "adts", "aif", "aifc", "aiff", "alac", "amr", "ape", "au", "avi", "awb", "caf",
        "dff",
        "dsf", "dts", "eac3", "flac", "flv", "g722", "gsm", "m2ts", "m4a", "m4b", "m4v", "mka", "mkv", "mlp", "mov",
        "mp1",
        "mp2", "mp3", "mp4", "mpc", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "ra", "rm", "rf64", "shn", "snd", "spx",
        "tak", "thd", "ts", "tta", "voc", "vob", "w64", "wav", "webm", "wma", "wmv", "wv",
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
                // One spelling of accents, so that a name is the same whichever system wrote the file.
                let id = prefix + relative.precomposedStringWithCanonicalMapping
                files.append(MusicFile(url: url.appendingPathComponent(relative), id: ReferenceID(id)))
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
        guard FileManager.default.isReadableFile(atPath: folder.path),
            let walk = FileManager.default.enumerator(atPath: folder.path)
        else {
            throw EarshotError(
                .assetUnreadable,
                "The folder \(folder.path) cannot be read: check that you may read it."
            )
        }
        var paths: [String] = []
        for case let path as String in walk {
            let name = path.split(separator: "/").last ?? ""
            guard !name.hasPrefix(".") else {
                walk.skipDescendants()
                continue
            }
            guard let dot = name.lastIndex(of: "."),
                suffixes.contains(name[name.index(after: dot)...].lowercased())
            else { continue }
            // A link to a file counts as one; a folder of such a name does not.
            var isFolder: ObjCBool = false
            let full = folder.appendingPathComponent(path).path
            if FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue {
                paths.append(path)
            }
        }
        return paths
    }
}
