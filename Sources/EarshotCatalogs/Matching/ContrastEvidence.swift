package import EarshotCore
package import EarshotSignatures

/// The evidence of a query's spectrogram for the likeliest reference, for plots.
package struct ContrastEvidence: Sendable {
    /// A landmark of the reference at its place on the query.
    package struct Mark: Hashable, Sendable {
        /// The time in the query, in seconds.
        package let time: Double
        /// The position on the query's frequency axis, in bins.
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
    /// The likeliest reference, even if its score is below the threshold.
    package let best: ReferenceID
    /// The landmarks of the likeliest reference.
    package let marks: [Mark]
    /// The references that were compared, in order of their distance from chance.
    package let references: [Standing]
    /// The distance of the best above the best other reference, in standard deviations.
    package let margin: Double
    /// The distance of the bits from chance, in standard deviations; `nil` if they were not read.
    package let bits: Double?
    /// The score of the landmarks alone, in nats.
    package let landmarkScore: Double
    /// The score of landmarks, map and bits together, in nats.
    package let score: Double
    /// The bits, in standard deviations, and the score, in nats, that an answer needs.
    package let leastBits: Double
    package let threshold: Double
}
