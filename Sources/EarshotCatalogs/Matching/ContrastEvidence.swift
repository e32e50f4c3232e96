package import EarshotCore
package import EarshotSignatures

/// What the spectrogram of a query says about the likeliest reference, for pictures of it.
package struct ContrastEvidence: Sendable {
    /// A landmark of the reference where it falls on the query.
    package struct Mark: Hashable, Sendable {
        /// When it would be heard in the query, in seconds.
        package let time: Double
        /// Where it stands on the frequency axis of the query, in bins.
        package let bin: Double
        /// How far the map stands above chance there, in standard deviations.
        package let deviations: Double
    }

    /// How far the map stands above chance at the best place of a reference, in standard deviations.
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
    /// How much further the map stands out at the best than at every other, in standard deviations.
    package let margin: Double
    /// The distance of the bits from chance, in standard deviations; `nil` if they were not read.
    package let bits: Double?
    /// What the landmarks say alone, in nats.
    package let landmarkScore: Double
    /// What all say together, in nats.
    package let score: Double
    /// The bits and the score that an answer needs.
    package let leastBits: Double
    package let threshold: Double
}
