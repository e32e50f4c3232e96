/// The progress of all files that were entered for a catalog, whichever node works on them.
package struct IngestProgress: Hashable, Codable, Sendable {
    /// Files that were entered. Counting begins again when files are entered while none is left.
    package var entered = 0
    /// Files that became references.
    package var added = 0
    /// Files that were left out because their names came into the catalog otherwise.
    package var present = 0
    /// Files that could not become references.
    package var failed = 0

    package init() {}

    /// Files that wait, or that a node works on.
    package var left: Int { entered - added - present - failed }

    /// Counts files that are entered.
    ///
    /// - Parameters:
    ///   - new: Files that were not entered yet.
    ///   - retried: Files that had failed and wait again.
    ///   - forgotten: Files that had failed, and are no longer there.
    package mutating func enter(new: Int, retried: Int, forgotten: Int = 0) {
        if left == 0 {
            // Counting begins again, except for failed files: these are still listed.
            (entered, added, present) = (failed, 0, 0)
        }
        failed -= retried + forgotten
        entered += new - forgotten
    }
}
