package import EarshotCore
package import Foundation

/// The difference between a catalog and the parts that it was opened from: removed names and added references.
package struct CatalogDifference: Sendable {
    /// The names of removed references. A replaced reference is among these and among the added ones.
    package private(set) var removed: [ReferenceID] = []
    /// The number of added references.
    package var addedCount: Int { added.reduce(0) { $0 + $1.segment.referenceCount - $1.removed.count } }
    private var added: [MaskedSegment] = []
    private let limits: QueryLimits

    /// Compares a catalog with its parts.
    ///
    /// - Throws: `catalogInvalid` if a name cannot be read, or if added references cannot be indexed.
    package init(_ catalog: Catalog, from parts: [SegmentPart]) throws(EarshotError) {
        limits = catalog.queryLimits
        var before: [ObjectIdentifier: SegmentPart] = [:]
        for part in parts { before[ObjectIdentifier(part.file.segment)] = part }
        for target in try catalog.matchTargets() {
            if let part = before.removeValue(forKey: ObjectIdentifier(target.segment)) {
                try remove(target.removed.subtracting(part.removed), of: part)
            } else if target.removed.count < target.segment.referenceCount {
                added.append(target)
            }
        }
        // The last small segments may have been joined with added references.
        for part in parts where before[ObjectIdentifier(part.file.segment)] != nil {
            try remove(Set(0..<part.file.referenceCount).subtracting(part.removed), of: part)
        }
    }

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty }

    /// Writes the added references to a file.
    ///
    /// - Parameter url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` if a limit of the format is exceeded; `writeFailed`; `destinationExists`.
    package func write(to url: URL) throws(EarshotError) {
        let sources = added.map { SegmentMerger.Source(target: $0, name: "The catalog") }
        try SegmentMerger.merge(sources, limits: limits, to: url)
    }

    private mutating func remove(_ numbers: Set<Int>, of part: SegmentPart) throws(EarshotError) {
        for number in numbers.sorted() {
            guard let id = part.file.id(number) else {
                throw EarshotError(
                    .catalogInvalid,
                    "\(part.file.url.path) is damaged: reference \(number + 1) cannot be read. Make it again."
                )
            }
            removed.append(id)
        }
    }
}
