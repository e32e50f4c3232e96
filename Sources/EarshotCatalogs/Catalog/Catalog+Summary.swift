package import EarshotCore

extension Catalog {
    /// The counts and sizes of a catalog's contents.
    package struct Summary: Sendable {
        package var references = 0
        /// The total duration of all references.
        package var duration = MediaTime.zero
        /// References with dense bits. Only these are found where landmarks alone are not enough.
        package var referencesWithBits = 0
        /// Bytes of landmarks and their directories.
        package var landmarkBytes = 0
        /// Bytes of dense bits.
        package var bitBytes = 0
        /// Bytes of names and media items.
        package var infoBytes = 0
        /// Postings in the index.
        package var postings = 0
        /// The size of the index, in bytes.
        package var indexBytes = 0
        /// Segments, which are searched one after the other.
        package var segments = 0
    }

    /// Counts the contents of the catalog, after indexing the references that were added since it was opened.
    ///
    /// - Throws: `internalError` if they cannot be indexed.
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
