package import EarshotCore
package import Foundation

/// Files by the paths that lead to them, however a path is written: from the working folder or another one on, from `~` on,
/// through links, as a `file:` address, with percent signs, with accents in either spelling.
package struct WrittenPaths {
    /// By the path without links.
    private let ids: [String: ReferenceID]
    private let folder: URL?

    /// - Parameters:
    ///   - files: The files. Of two that are one on the disk, the first counts.
    ///   - folder: The folder that paths may be from, beside the working folder.
    package init(_ files: [MusicFile], from folder: URL?) {
        let places = files.compactMap { file in FolderWalk.real(file.url.path).map { ($0, file.id) } }
        ids = Dictionary(places) { first, _ in first }
        self.folder = folder
    }

    /// The reference of the file that a path leads to; `nil` if it leads to none of the files.
    package func id(of path: String) -> ReferenceID? {
        for path in spellings(of: path) {
            if let place = FolderWalk.real(path), let id = ids[place] { return id }
        }
        return nil
    }

    private func spellings(of path: String) -> [String] {
        var bare = [path]
        if path.hasPrefix("file:"), let url = URL(string: path) { bare.append(url.path) }
        if let plain = path.removingPercentEncoding, plain != path { bare.append(plain) }
        if path.contains("\\") { bare.append(path.replacing("\\", with: "/")) }
        // A table that was written on a Mac has accents decomposed, a disk of Linux mostly composed.
        bare += bare.flatMap { [$0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping] }
        let home = UserFolders().home.path
        return bare.flatMap { path in
            let expanded = path.hasPrefix("~/") ? home + path.dropFirst() : path
            guard let folder, !expanded.hasPrefix("/") else { return [expanded] }
            return [expanded, folder.appendingPathComponent(expanded).path]
        }
    }
}
