/// The duration of audio in a fingerprint, in seconds.
///
/// Of a hundred queries of clean and degraded music, more are found the longer they are; `Docs/monitor.md` has the figures
/// by which these were chosen.
struct LookupLength: Hashable, Sendable {
    /// Best correctness.
    static let accuracy = LookupLength(name: "accuracy", seconds: 6)
    /// Sooner answers.
    static let speed = LookupLength(name: "speed", seconds: 3.5)
    /// For audio that is quiet, or full of noise.
    static let patience = LookupLength(name: "patience", seconds: 10)

    /// The name in events.
    let name: String
    let seconds: Double

    /// The length for a mode and the audio that was heard last.
    static func length(_ mode: OptimizationMode, in surroundings: Surroundings) -> LookupLength {
        switch mode {
        case .default, .accuracy: accuracy
        case .speed: speed
        case .adaptive: surroundings.isPoor ? patience : surroundings.isClear ? speed : accuracy
        }
    }

    /// The kind of audio that was heard lately.
    struct Surroundings: Hashable, Sendable {
        /// The level of the last second, in decibels below full scale.
        var level = -20.0
        /// The probability that the last seconds were noise, from 0 to 1.
        var noise = 0.0
        /// The probability that the last seconds were music, from 0 to 1.
        var music = 0.0

        var isPoor: Bool { level < -50 || noise >= 0.5 }
        var isClear: Bool { level > -35 && music >= 0.8 && noise < 0.1 }
    }
}
