package import Foundation

/// The files below a folder, in the order of their paths.
///
/// Links are followed, and each folder is entered once. Hidden files and folders, pipes and devices are left out.
package struct FolderWalk: Sendable {
    /// A file below a folder.
    package struct File: Hashable, Sendable {
        /// The file.
        package let url: URL
        /// The folders below the top that lead to it, and its own name.
        package let path: [String]
    }

    /// The files.
    package private(set) var files: [File] = []
    /// Folders that could not be read, by the names that lead to them; of the top itself there are none.
    package private(set) var unreadable: [[String]] = []

    /// Looks below a folder. The call blocks.
    ///
    /// - Parameters:
    ///   - top: The folder.
    ///   - suffixes: Which files are taken, in lower case.
    ///   - mayEnter: Whether a file or folder is looked at, by its path without links. Others are left out, and not opened.
    package init(_ top: URL, suffixes: Set<String>, mayEnter: (URL) -> Bool = { _ in true }) {
        var entered: Set<String> = []
        var open: [(url: URL, path: [String])] = [(top, [])]
        while let (folder, path) = open.popLast() {
            guard entered.insert(folder.resolvingSymlinksInPath().path).inserted else { continue }
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
                unreadable.append(path)
                continue
            }
            // The first name is looked below first, so that of two links to one folder it is the first that counts.
            for name in names.sorted(by: >) where !name.hasPrefix(".") {
                let url = folder.appendingPathComponent(name)
                let real = url.resolvingSymlinksInPath()
                guard mayEnter(real) else { continue }
                let found = try? FileManager.default.attributesOfItem(atPath: real.path)
                switch found?[.type] as? FileAttributeType {
                case .typeDirectory?: open.append((url, path + [name]))
                case .typeRegular? where suffixes.contains(url.pathExtension.lowercased()):
                    files.append(File(url: url, path: path + [name]))
                default: break
                }
            }
        }
        files.sort { $0.path.lexicographicallyPrecedes($1.path) }
        unreadable.sort { $0.lexicographicallyPrecedes($1) }
    }
}
