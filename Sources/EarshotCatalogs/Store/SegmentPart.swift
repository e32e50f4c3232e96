package import EarshotCore
package import Foundation

/// A segment file of a catalog, and the references of it that do not count.
package struct SegmentPart: Sendable {
    package var file: SegmentFile
    /// Numbers of the references that were removed.
    package var removed: Set<Int>

    package init(_ file: SegmentFile, removed: Set<Int> = []) {
        (self.file, self.removed) = (file, removed)
    }

    var target: MaskedSegment { MaskedSegment(segment: file.segment, removed: removed) }
}

extension Catalog {
    /// Parts as one catalog. No name may occur twice among the references that count.
    package init(
        _ parts: [SegmentPart],
        limits: QueryLimits,
        identity: CatalogIdentity
    ) {
        self.init(targets: parts.map(\.target), queryLimits: limits, name: "The catalog \(identity.id)")
        self.identity = identity
    }
}

extension SegmentFile {
    /// Number of postings in its index.
    package var postingCount: Int { segment.postingCount }
    /// The shortest and longest query that it was written with.
    package var limits: QueryLimits { segment.limits }

    /// The name of a reference; `nil` if it is damaged.
    package func id(_ number: Int) -> ReferenceID? {
        (0..<referenceCount).contains(number) ? segment.id(number) : nil
    }

    /// The number of the reference of a name; `nil` if it has none.
    package func number(of id: ReferenceID) -> Int? { segment.number(of: id) }

    /// The digest of the content of a reference. References of equal content have equal digests.
    package func contentDigest(_ number: Int) -> UInt64 { segment.records[number].contentDigest }

    /// Writes what is left of several parts as one file: the references in the order of the parts.
    ///
    /// - Parameter url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` when one is damaged or a limit of the format is exceeded, `writeFailed`, `destinationExists`.
    package static func merge(_ parts: [SegmentPart], limits: QueryLimits, to url: URL) throws(EarshotError) {
        let sources = parts.map { SegmentMerger.Source(target: $0.target, name: $0.file.url.path) }
        try SegmentMerger.merge(sources, limits: limits, to: url)
    }
}
