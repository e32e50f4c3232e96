package import EarshotCore
package import Foundation

/// A segment file of a catalog with its removed references.
package struct SegmentPart: Sendable {
    package var file: SegmentFile
    /// The numbers of the removed references.
    package var removed: Set<Int>

    package init(_ file: SegmentFile, removed: Set<Int> = []) {
        (self.file, self.removed) = (file, removed)
    }

    var target: MaskedSegment { MaskedSegment(segment: file.segment, removed: removed) }
}

extension Catalog {
    /// Creates a catalog that searches several parts as one. No name may occur twice among the references that are not
    /// removed.
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
    /// The number of postings in its index.
    package var postingCount: Int { segment.postingCount }
    /// The query limits that the file was written with.
    package var limits: QueryLimits { segment.limits }

    /// Returns the name of a reference; `nil` if the number does not exist or the name is damaged.
    package func id(_ number: Int) -> ReferenceID? {
        (0..<referenceCount).contains(number) ? segment.id(number) : nil
    }

    /// Returns the number of the reference with a name; `nil` if there is none.
    package func number(of id: ReferenceID) -> Int? { segment.number(of: id) }

    /// Returns the digest of a reference's content. References with equal content have equal digests.
    package func contentDigest(_ number: Int) -> UInt64 { segment.records[number].contentDigest }

    /// Merges the remaining references of several parts to one file, in order of the parts.
    ///
    /// - Parameter url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` if one is damaged or a limit of the format is exceeded; `writeFailed`;
    ///   `destinationExists`.
    package static func merge(_ parts: [SegmentPart], limits: QueryLimits, to url: URL) throws(EarshotError) {
        let sources = parts.map { SegmentMerger.Source(target: $0.target, name: $0.file.url.path) }
        try SegmentMerger.merge(sources, limits: limits, to: url)
    }
}
