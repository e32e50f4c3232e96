public import EarshotCore

/// A reference in which a query was found, and how the two lie on each other.
///
/// Reference time = ``offset`` + (1 + ``speedSkew``) · query time.
public struct ReferenceMatch: Hashable, Sendable, Identifiable {
    /// One place in the reference.
    public struct Occurrence: Hashable, Sendable {
        /// Where in the reference the query's first instant falls; below zero when the query begins earlier. In units of
        /// 1/16,000 s.
        public let offset: MediaTime
        /// The part of the query that fits.
        public let queryRange: Range<MediaTime>
        /// The part of the reference that it fits.
        public let referenceRange: Range<MediaTime>
        /// How much faster than the reference the query plays: 0.05 is 5 % fast.
        public let speedSkew: Double
        /// How much higher than the reference the query sounds: 0.05 is 105 Hz for 100 Hz.
        public let pitchSkew: Double
        /// Evidence against chance; compares answers with each other.
        public let score: Double
        /// How sure the answer is, from 0 to 1; 0.85 at the point where answers begin to be given.
        public let confidence: Double
    }

    /// The reference's name in its catalog.
    public let id: ReferenceID
    /// What the reference stands for.
    public let items: [MediaItem]
    /// How long the reference is.
    public let referenceDuration: MediaTime
    /// Every place where the query was found, best first; at least one. More than one when the music repeats itself.
    public let occurrences: [Occurrence]

    /// The best place.
    public var best: Occurrence { occurrences[0] }
    /// Where in the reference the query begins, at the best place.
    public var offset: MediaTime { best.offset }
    /// The part of the query that fits, at the best place.
    public var queryRange: Range<MediaTime> { best.queryRange }
    /// The part of the reference that it fits, at the best place.
    public var referenceRange: Range<MediaTime> { best.referenceRange }
    /// How much faster the query plays, at the best place: 0.05 is 5 % fast.
    public var speedSkew: Double { best.speedSkew }
    /// How much higher the query sounds, at the best place: 0.05 is 105 Hz for 100 Hz.
    public var pitchSkew: Double { best.pitchSkew }
    /// Evidence against chance, at the best place.
    public var score: Double { best.score }
    /// How sure the answer is, from 0 to 1.
    public var confidence: Double { best.confidence }
}
