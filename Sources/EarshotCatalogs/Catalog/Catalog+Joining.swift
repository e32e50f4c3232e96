package import EarshotCore
import EarshotSegments

extension Catalog {
    /// Joins several catalogs into one that is searched as a whole, without copying. The caller ensures that no name
    /// occurs twice.
    ///
    /// - Throws: `catalogInvalid` when the index over added references cannot be built.
    package init(joining catalogs: [Catalog], queryLimits: QueryLimits) throws(EarshotError) {
        var targets: [MaskedSegment] = []
        for catalog in catalogs { targets += try catalog.matchTargets() }
        self.init(targets: targets, queryLimits: queryLimits, name: "The catalog")
    }

    /// Returns a catalog with the same references in one segment in memory, without removed ones.
    ///
    /// - Throws: `catalogInvalid` if a segment is damaged.
    package func compacted() throws(EarshotError) -> Catalog {
        let sources = try matchTargets().map { SegmentMerger.Source(target: $0, name: name) }
        let image = try SegmentMerger.image(of: sources, limits: queryLimits)
        return Catalog(segment: try Segment(MappedBytes(image), name: name), name: name)
    }
}

extension Catalog {
    /// `true` if more than half of the indexed references were removed.
    package var isMostlyRemoved: Bool {
        let removed = targets.reduce(0) { $0 + $1.removed.count }
        return removed > targets.reduce(0) { $0 + $1.segment.referenceCount } - removed
    }
}
