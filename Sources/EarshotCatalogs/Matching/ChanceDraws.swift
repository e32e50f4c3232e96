/// What a query's spectrogram gives at places drawn over a whole catalog, as far as a leaf has them.
package struct ChanceDraws: Hashable, Sendable, Codable {
    /// What was read at one place.
    package struct Draw: Hashable, Sendable, Codable {
        /// Which of the draws, from 0.
        package var number: Int
        package var sum: Int
        /// Landmarks, or bits, that were summed.
        package var count: Int
    }

    /// The map at landmarks.
    package var map: [Draw] = []
    /// The spectrogram at bits, at the pitch of the reference.
    package var bits: [Draw] = []
}

/// What a query's spectrogram gives by chance in a whole catalog.
package struct SearchChance: Hashable, Sendable, Codable {
    /// Of one landmark, or of one bit.
    package struct Measure: Hashable, Sendable, Codable {
        package var mean: Double
        package var deviation: Double
    }

    /// Of the map at a landmark; `nil` where too few places were drawn, and the spectrogram is not used.
    package var map: Measure?
    /// Of the spectrogram at a bit.
    package var bits: Measure
}
