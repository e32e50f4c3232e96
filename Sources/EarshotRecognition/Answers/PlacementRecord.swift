package import EarshotCatalogs
import EarshotCore

/// The JSON form of a ``ReferencePlacement``, sent and stored. Times are in seconds; the score is omitted.
package struct PlacementRecord: Hashable, Sendable, Codable {
    package var reference: String
    package var confidence, offset: Double
    package var queryBegin, queryEnd: Double
    package var referenceBegin, referenceEnd: Double
    package var speedSkew, pitchSkew: Double
    package var sharedMaterial: SharedMaterial?

    package init(_ value: ReferencePlacement) {
        let (query, reference) = (value.queryRange, value.referenceRange)
        self.reference = value.reference.rawValue
        (confidence, offset) = (value.confidence, value.offset.seconds)
        (queryBegin, queryEnd) = (query.lowerBound.seconds, query.upperBound.seconds)
        (referenceBegin, referenceEnd) = (reference.lowerBound.seconds, reference.upperBound.seconds)
        (speedSkew, pitchSkew) = (value.speedSkew, value.pitchSkew)
        sharedMaterial = value.sharedMaterial
    }

    /// The decoded placement. An interval that ends before it begins, as a foreign service may send, becomes empty.
    package var value: ReferencePlacement {
        func range(_ begin: Double, _ end: Double) -> Range<MediaTime> {
            let begin = MediaTime(recordSeconds: begin)
            return begin..<max(begin, MediaTime(recordSeconds: end))
        }
        let placement = Placement(
            offset: MediaTime(recordSeconds: offset),
            queryRange: range(queryBegin, queryEnd),
            referenceRange: range(referenceBegin, referenceEnd),
            speedSkew: speedSkew,
            pitchSkew: pitchSkew,
            confidence: confidence,
            sharedMaterial: sharedMaterial
        )
        return ReferencePlacement(reference: ReferenceID(reference), placement: placement)
    }
}

extension MediaTime {
    /// A time of a record.
    ///
    /// Times at common sample rates are restored exactly, so reading and writing again changes nothing. Other times are
    /// rounded to the nanosecond.
    init(recordSeconds seconds: Double) {
        // Nanoseconds hold 8 and 16 kHz, the others 11.025 to 176.4 kHz, 24 to 192 kHz, and the clock of MPEG.
        for timescale in [1_000_000_000, 176_400, 192_000, 90_000] as [Int32] {
            self.init(seconds: seconds, preferredTimescale: timescale)
            if self.seconds == seconds { return }
        }
        self.init(seconds: seconds, preferredTimescale: 1_000_000_000)
    }
}
