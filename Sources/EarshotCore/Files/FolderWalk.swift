package import Foundation

/// The files in a folder and its subfolders, ordered by path.
///
/// Symbolic links are followed. Each folder is entered once, under its first name, so that circular links end. Hidden
/// files and folders, pipes, devices and names that are not UTF-8 are left out. No file is opened.
package struct FolderWalk: Sendable {
    /// A file found in the folder.
    package struct File: Sendable {
        /// The path of the file: the path of the top folder, followed by the names below it.
        package let location: String
        /// The number of bytes of the path that belong to the top folder.
        fileprivate let topLength: Int
        /// The size of the file, in bytes.
        package let size: Int64
        /// The modification time of the file.
        package let time: FileTime
        /// The inode number of the file.
        package let node: UInt64

        /// The address of the file.
        package var url: URL { URL(fileURLWithPath: location, isDirectory: false) }

        /// The names of the folders below the top folder that lead to the file, and the file name.
        package var path: [String] { FolderWalk.names(in: location, behind: topLength) }
    }

    /// A folder that could not be read.
    package struct Failure: Sendable {
        /// The path of the folder.
        package let location: String
        /// The names of the folders below the top folder that lead to it; empty for the top folder.
        package let path: [String]
        /// The system's error number (`errno`).
        package let number: Int32
    }

    private struct Place: Hashable {
        let device: UInt64
        let node: UInt64

        init(_ status: stat) {
            (device, node) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
        }
    }

    /// The files that were found, ordered by path.
    package private(set) var files: [File] = []
    /// The folders that could not be read, ordered by path.
    package private(set) var failures: [Failure] = []
    /// The paths of all folders that were entered, the top first.
    package private(set) var folders: [String] = []

    private let top: String
    private let suffixes: Set<String>
    /// The folder that links must not lead out of, with its own links resolved.
    private let bound: String?

    /// Finds the files in a folder and its subfolders. Blocks the thread.
    ///
    /// - Parameters:
    ///   - top: The path of the top folder.
    ///   - suffixes: The file name extensions that are included, in lower case.
    ///   - bound: A folder, by its path without links: files and folders outside it, to which a link leads, are left
    ///     out. `nil` for no limit.
    ///   - isCancelled: Called before each folder; returns `true` to stop.
    package init(
        _ top: String,
        suffixes: Set<String>,
        within bound: String? = nil,
        isCancelled: () -> Bool = { false }
    ) {
        self.top = top.count > 1 && top.hasSuffix("/") ? String(top.dropLast()) : top
        (self.suffixes, self.bound) = (suffixes, bound)
        var entered: Set<Place> = []
        var open = [self.top]
        while let folder = open.popLast(), !isCancelled() {
            var status = stat()
            guard stat(folder, &status) == 0 else {
                fail(folder)
                continue
            }
            guard !entered.contains(Place(status)) else { continue }
            guard let names = Self.names(in: folder) else {
                fail(folder)
                continue
            }
            entered.insert(Place(status))
            folders.append(folder)
            // The first name is looked below first, so that of two links to one folder it is the first that counts.
            for name in names.sorted(by: { $1.utf8.lexicographicallyPrecedes($0.utf8) }) {
                take(folder == "/" ? "/" + name : folder + "/" + name, name, &open)
            }
        }
        files.sort { Self.precedes($0.location, $1.location) }
        failures.sort { Self.precedes($0.location, $1.location) }
    }

    /// Returns `true` if a path is a folder or below it. Bytes are compared: two spellings of an accent are two
    /// folders.
    package static func lies(_ path: String, in top: String) -> Bool {
        guard path.utf8.starts(with: top.utf8) else { return false }
        let rest = path.utf8.dropFirst(top.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || top.utf8.last == UInt8(ascii: "/")
    }

    /// Returns a path with symbolic links resolved; `nil` if it does not exist.
    package static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(validatingCString: found)
    }

    private mutating func fail(_ folder: String) {
        let number = errno
        failures.append(
            Failure(location: folder, path: Self.names(in: folder, behind: top.utf8.count), number: number)
        )
    }

    private mutating func take(_ location: String, _ name: String, _ open: inout [String]) {
        if let bound, Self.isLink(location) {
            guard let real = Self.real(location), Self.lies(real, in: bound) else { return }
        }
        var status = stat()
        guard stat(location, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: open.append(location)
        case S_IFREG:
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
                suffixes.contains(name[name.utf8.index(after: dot)...].lowercased())
            else { return }
            files.append(
                File(
                    location: location,
                    topLength: top.utf8.count,
                    size: Int64(status.st_size),
                    time: FileTime(status),
                    node: UInt64(status.st_ino)
                )
            )
        default: break
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Compares paths name by name: the contents of a folder come after it, and before a sibling with a longer name.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        let slash = UInt8(ascii: "/")
        return one.utf8.lexicographicallyPrecedes(other.utf8) { ($0 == slash ? 0 : $0) < ($1 == slash ? 0 : $1) }
    }

    private static func names(in location: String, behind length: Int) -> [String] {
        location.utf8.dropFirst(length).split(separator: UInt8(ascii: "/")).compactMap { String($0) }
    }

    /// The names in a folder but for hidden ones; `nil` if it cannot be read.
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
}
