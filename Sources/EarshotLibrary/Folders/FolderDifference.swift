import EarshotMedia

/// The changes of a library's files since the last scan, by their stamps alone.
struct FolderDifference: Sendable {
    /// A file that has to be read: one that is new, or is not what it was.
    struct Due: Hashable, Sendable {
        let file: LibraryWalk.File
        /// The facts known before of the file at this path; `nil` for a new path.
        let before: KnownFile?
    }

    /// Files that are what they were.
    private(set) var unchanged: [String] = []
    /// Files that have another name and are what they were.
    private(set) var renamed: [(from: KnownFile, to: LibraryWalk.File)] = []
    /// Files to be read, in the order of their paths.
    private(set) var due: [Due] = []
    /// Files that are no longer there, and that no other name was found for.
    private(set) var gone: [KnownFile] = []

    /// Compares.
    ///
    /// - Parameters:
    ///   - known: The files known below the folder, in the order of the bytes of their paths.
    ///   - found: The files found there now, in the same order.
    ///   - reading: The name of the way in which files are read now: files that were read in another way are due.
    ///   - hidden: Folders that could not be looked into: of what is below them nothing is said.
    init(known: [KnownFile], found: [LibraryWalk.File], reading: String, hidden: [String] = []) {
        var vanished: [KnownFile] = []
        /// Files that are new or not what they were, with what was known under their paths.
        var appeared: [Due] = []
        var old = known[...]
        for file in found {
            while let next = old.first, next.path.utf8.lexicographicallyPrecedes(file.path.utf8) {
                vanished.append(next)
                old = old.dropFirst()
            }
            guard let before = old.first, before.path.utf8.elementsEqual(file.path.utf8) else {
                appeared.append(Due(file: file, before: nil))
                continue
            }
            old = old.dropFirst()
            if before.stamp == file.stamp, before.reading == reading {
                unchanged.append(file.path)
            } else {
                appeared.append(Due(file: file, before: before))
            }
        }
        vanished += old
        vanished.removeAll { file in hidden.contains { file.path.utf8.starts(with: ($0 + "/").utf8) } }

        // The file system's number, size and time together are of one file; none of two that share them is taken. Names may be
        // passed on from file to file: the second of an album becomes the third.
        let displaced = appeared.compactMap { due in due.before.flatMap { $0.stamp == due.file.stamp ? nil : $0 } }
        let names = Dictionary(
            grouping: (vanished + displaced).filter { $0.reading == reading && $0.audio != nil },
            by: \.stamp
        )
        let comers = Dictionary(grouping: appeared, by: \.file.stamp)
        var claimed: Set<String> = []
        var unnamed: [Due] = []
        for next in appeared {
            if let from = names[next.file.stamp], from.count == 1, comers[next.file.stamp]?.count == 1 {
                renamed.append((from[0], next.file))
                claimed.insert(from[0].path)
            } else {
                unnamed.append(next)
            }
        }
        due = unnamed.map { next in
            Due(file: next.file, before: next.before.flatMap { claimed.contains($0.path) ? nil : $0 })
        }
        gone = vanished.filter { !claimed.contains($0.path) }
    }
}
