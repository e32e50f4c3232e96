package import EarshotCatalogs
package import EarshotCore

/// A catalog that nodes share, as it is at one moment.
package struct SharedManifest: Hashable, Sendable {
    /// The number of changes that the catalog has seen. A new catalog has 1.
    package var generation: Int
    /// A text that is another one after each change, also where a database that was restored counts the same again.
    package var stamp: String
    package var limits: QueryLimits
    /// The segments, in order of adding.
    package var segments: [SharedSegment]
    /// The number of nodes that hold each segment; `nil` if all do.
    package var copies: Int?

    package init(
        generation: Int,
        stamp: String,
        limits: QueryLimits,
        segments: [SharedSegment] = [],
        copies: Int? = nil
    ) {
        (self.generation, self.stamp, self.limits, self.segments) = (generation, stamp, limits, segments)
        self.copies = copies
    }

    /// Returns the error for a catalog that is not there.
    package static func missing(_ catalog: String) -> EarshotError {
        EarshotError(.catalogAddressInvalid, "The database has no catalog named \(catalog): make it first.")
    }

    /// The segments that a search goes through, each with its place in the whole.
    package var searched: [(segment: SharedSegment, place: SearchPart)] {
        var frame = 0
        return segments.filter { $0.count > 0 }.enumerated().map { number, segment in
            defer { frame += segment.frameCount }
            return (segment, SearchPart(segment: number, firstFrame: frame))
        }
    }

    /// The size of all that a search goes through.
    package var totals: SearchTotals {
        let segments = segments.filter { $0.count > 0 }
        return SearchTotals(
            frameCount: segments.reduce(0) { $0 + $1.frameCount },
            postingCount: segments.reduce(0) { $0 + $1.postingCount },
            segmentCount: segments.count,
            referenceCount: segments.reduce(0) { $0 + $1.referenceCount },
            // All segments that are written today have bits, and no row names those without. A leaf without bits reads none and answers by
            // landmarks, so `true` is harmless: it costs a request for the spectrogram, or a third round, in vain (decision 29).
            hasBits: true
        )
    }

    /// The number of references.
    package var count: Int { segments.reduce(0) { $0 + $1.count } }
    /// Bytes of all segments.
    package var size: Int { segments.reduce(0) { $0 + $1.size } }
}
