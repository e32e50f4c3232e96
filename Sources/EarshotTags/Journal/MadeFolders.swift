import EarshotCore
import EarshotMedia
import Foundation

/// The folders that the changes of a journal made, which undoing removes when it empties them.
///
/// The folders of all changes, undone ones too: where the change that made a folder is undone before one that went into it,
/// because the other could not be undone in the same run, the folder is empty only after the other.
struct MadeFolders {
    /// By bytes: a letter with a mark in one scalar and in two are names of two folders.
    private let paths: Set<[UInt8]>

    /// - Parameters:
    ///   - changes: The changes of a journal.
    ///   - root: The folder in which they have to lie; anywhere if `nil`.
    init(_ changes: some Sequence<JournalChange>, inside root: String?) {
        var paths: Set<[UInt8]> = []
        for change in changes where root.map(change.isInside) ?? true {
            for folder in change.folders { paths.insert(Array(folder.utf8)) }
        }
        self.paths = paths
    }

    /// Removes the folders in which a file was, as far as they were made and there is nothing in them.
    func removeEmptied(above path: String) {
        var folder = StagedFile.folder(of: path)
        while paths.contains(Array(folder.utf8)) {
            let outer = StagedFile.folder(of: folder)
            // The system removes only empty ones. One that is gone was removed by a run that was lost before it removed the next.
            if rmdir(folder) == 0 {
                Durability.flush(folder: outer)
            } else if errno != ENOENT {
                return
            }
            folder = outer
        }
    }
}
