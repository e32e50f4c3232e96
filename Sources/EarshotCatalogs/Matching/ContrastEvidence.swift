package import EarshotCore
package import EarshotSignatures

/// The evidence of a query's spectrogram for the likeliest reference, for pictures of it.
package struct ContrastEvidence: Sendable {
    /// A landmark of the reference where it falls on the query.
    package struct Mark: Hashable, Sendable {
        /// The time in the query, in seconds.
        package let time: Double
        /// The place on the frequency axis of the query, in bins.
        package let bin: Double
        /// The distance of the map from chance there, in standard deviations.
        package let deviations: Double
    }

    /// The distance of the map from chance at the best place of a reference, in standard deviations.
    package struct Standing: Hashable, Sendable {
        package let id: ReferenceID
        package let deviations: Double
    }

    package let map: ContrastMap
    /// The likeliest reference, answered or not.
    package let best: ReferenceID
    /// Its landmarks.
    package let marks: [Mark]
    /// The references that were looked at, those with the highest map first.
    package let references: [Standing]
    /// The margin of the best over every other reference, in standard deviations.
    package let margin: Double
    /// The distance of the bits from chance, in standard deviations; `nil` if they were not read.
    package let bits: Double?
    /// The score of the landmarks alone, in nats.
    package let landmarkScore: Double
    /// The score of all together, in nats.
    package let score: Double
    /// The bits and the score that an answer needs.
    package let leastBits: Double
    package let threshold: Double
}
