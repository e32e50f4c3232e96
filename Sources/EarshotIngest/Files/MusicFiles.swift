package import EarshotCore
import EarshotMedia
package import Foundation

/// A file that is to become a reference, and the name it will have.
package struct MusicFile: Sendable {
    package let url: URL
    package let id: ReferenceID
}

/// The audio files below folders.
package struct MusicFiles {
    /// Suffixes of files that are taken from folders. A file named by itself is taken whatever its suffix.
    package static let audioSuffixes = MediaSuffixes.audible

    /// The files, ordered by name.
    package private(set) var files: [MusicFile] = []
    /// The folders and files that could not be read.
    package private(set) var failures: [IngestFailure] = []
    /// The beginnings of the names of files below each folder.
    package private(set) var prefixes: [String] = []

    /// No files.
    package init() {}

    /// Finds the files below folders, hidden ones left out. Links are followed, each folder is entered once.
    ///
    /// A reference is named by the folder's own name and the path below it, whichever other folders are given: `Music/A/1.ogg`.
    /// A file that is named by itself has just its name.
    ///
    /// - Parameters:
    ///   - paths: Folders and files.
    ///   - suffixes: The suffixes of the files that are taken from folders.
    ///   - what: The names of what is looked for, for messages.
    ///   - allowsNamesakes: `true` if several files may have one name, as those of two folders of one name may; they
    ///     stand in the order of their paths then.
    /// - Throws: `assetNotFound` for a path that is not there and for a folder without audio, `referenceExists` when two
    ///   files would have one name.
    package init(
        _ paths: [String],
        suffixes: Set<String> = audioSuffixes,
        lookingFor what: (name: String, home: String) = ("audio", "music"),
        allowsNamesakes: Bool = false
    ) throws(EarshotError) {
        for path in paths {
            let url = URL(fileURLWithPath: path).standardizedFileURL
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
                throw EarshotError(.assetNotFound, "There is no file or folder at \(path): check the path.")
            }
            guard isFolder.boolValue else {
                files.append(MusicFile(url: url, id: ReferenceID(nfc: url.lastPathComponent)))
                continue
            }
            let walk = FolderWalk(url.path, suffixes: suffixes)
            let top = url.lastPathComponent
            files += walk.files.map {
                MusicFile(url: $0.url, id: ReferenceID(nfc: ([top] + $0.path).joined(separator: "/")))
            }
            failures += walk.failures.map { failure in
                IngestFailure(
                    file: failure.location,
                    code: EarshotError.Code.assetUnreadable.rawValue,
                    message: "The folder \(failure.location) cannot be read: check that you may read it."
                )
            }
            guard !walk.files.isEmpty else {
                // An empty folder is more often a disk that is not mounted than music that is gone.
                throw EarshotError(
                    .assetNotFound,
                    "There is no \(what.name) below \(path): name a folder with \(what.home) in it."
                )
            }
            prefixes.append(top.precomposedStringWithCanonicalMapping + "/")
        }
        try sort(allowsNamesakes: allowsNamesakes)
    }

    /// Adds the files that a text file names, one a line. Empty lines are left out, and a file that is there already.
    ///
    /// A reference is named by the path as it is written, without what leads up: `Music/A/1.ogg` for `./Music/A/1.ogg` and `/Music/A/1.ogg`.
    ///
    /// - Parameter list: Paths, from the folder of the list on. The files need not be there yet.
    /// - Throws: `assetNotFound` if there is no such list or it names no file, `assetUnreadable`, and `referenceExists` as ``init(_:)``.
    package mutating func append(listedIn list: URL) throws(EarshotError) {
        guard FileManager.default.fileExists(atPath: list.path) else {
            throw EarshotError(.assetNotFound, "There is no list at \(list.path): check the path.")
        }
        guard let data = FileManager.default.contents(atPath: list.path), let text = String(data: data, encoding: .utf8)
        else {
            throw EarshotError(
                .assetUnreadable,
                "\(list.path) cannot be read as text in UTF-8: a list has one path a line."
            )
        }
        let folder = list.standardizedFileURL.deletingLastPathComponent()
        var known = Set(files.map(\.url.standardizedFileURL.path))
        var isEmpty = true
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "/").filter { $0 != "." }
            guard let last = parts.last, last != ".." else { continue }
            let path = line.hasPrefix("/") ? String(line) : "\(folder.path)/\(line)"
            let name = parts.drop { $0 == ".." }.joined(separator: "/")
            let url = URL(fileURLWithPath: path, isDirectory: false)
            isEmpty = false
            guard known.insert(url.standardizedFileURL.path).inserted else { continue }
            files.append(MusicFile(url: url, id: ReferenceID(nfc: name)))
        }
        guard !isEmpty else {
            throw EarshotError(.assetNotFound, "\(list.path) names no file: a list has one path a line.")
        }
        try sort(allowsNamesakes: false)
    }

    private mutating func sort(allowsNamesakes: Bool) throws(EarshotError) {
        files.sort { $0.id == $1.id ? $0.url.path < $1.url.path : $0.id < $1.id }
        if allowsNamesakes { return }
        for (file, next) in zip(files, files.dropFirst()) where file.id == next.id {
            throw EarshotError(
                .referenceExists,
                "\(file.url.path) and \(next.url.path) would both be named \(file.id): rename one of them."
            )
        }
    }

    /// Returns `true` if a reference was made from a file below one of the folders, all of which could be read.
    package func covers(_ id: ReferenceID) -> Bool {
        failures.isEmpty && prefixes.contains { id.rawValue.hasPrefix($0) }
    }
}

extension ReferenceID {
    /// A name with one spelling of accents, the same whichever system or keyboard wrote it.
    package init(nfc name: String) {
        self.init(name.precomposedStringWithCanonicalMapping)
    }
}
