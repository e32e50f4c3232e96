package import EarshotCore

extension Catalog {
    /// The contents of a catalog, counted.
    package struct Summary: Sendable {
        package var references = 0
        /// The duration of all references together.
        package var duration = MediaTime.zero
        /// References with dense bits: only they are found where landmarks alone do not suffice.
        package var referencesWithBits = 0
        /// Bytes of landmarks and their directories.
        package var landmarkBytes = 0
        /// Bytes of dense bits.
        package var bitBytes = 0
        /// Bytes of names and media items.
        package var infoBytes = 0
        /// Entries of the index.
        package var postings = 0
        /// Bytes of the index.
        package var indexBytes = 0
        /// Files that are searched one after the other.
        package var segments = 0
    }

    /// Counts the contents of the catalog. References that were added since it was opened are laid out first.
    ///
    /// - Throws: `internalError` when that fails.
    package func summary() throws(EarshotError) -> Summary {
        var summary = Summary()
        for target in try matchTargets() {
            let segment = target.segment
            summary.segments += 1
            summary.postings += segment.postingCount
            summary.indexBytes += segment.indexSize
            for (number, record) in segment.records.enumerated() where !target.removed.contains(number) {
                summary.references += 1
                summary.duration += record.duration
                summary.landmarkBytes += record.landmarkSize
                summary.bitBytes += record.bitSize
                summary.infoBytes += record.infoCount
                if record.bitSize > 0 { summary.referencesWithBits += 1 }
            }
        }
        return summary
    }
}
