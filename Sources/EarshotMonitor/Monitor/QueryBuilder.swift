import EarshotCore
import EarshotSignatures
import Foundation

/// Collects the audio of one lookup until there is enough of it.
struct QueryBuilder: Sendable {
    /// The level below which audio counts as silent, in decibels below full scale.
    static let silence = -60.0

    /// The duration of audio wanted, in seconds.
    let wanted: Double
    private var generator = SignatureGenerator()
    private var loudest = -120.0

    /// - Parameter wanted: The duration of audio wanted, in seconds.
    init(wanted: Double) {
        self.wanted = wanted
    }

    /// Takes the next piece.
    mutating func append(_ piece: AudioBuffer) throws(EarshotError) {
        try generator.append(piece)
        loudest = max(loudest, piece.level)
    }

    /// The duration of the audio so far, in seconds.
    var seconds: Double { generator.duration.seconds }
    /// `true` if there is enough. Pieces of some rates are a little short of a tenth.
    var isComplete: Bool { seconds >= wanted - 0.05 }
    /// `true` if all of it is silent.
    var isSilent: Bool { loudest <= Self.silence }

    /// The fingerprint; `nil` if all of it is silent or has no landmarks.
    var signature: Signature? {
        guard !isSilent else { return nil }
        let signature = generator.signature()
        return signature.isEmpty ? nil : signature
    }
}

extension AudioBuffer {
    /// The root mean square of all samples, in decibels below full scale: -120 to 0.
    var level: Double {
        var sum = 0.0
        let count: Int
        switch samples {
        case .int16(let samples):
            for sample in samples { sum += Double(sample) * Double(sample) }
            (sum, count) = (sum / (32_768 * 32_768), samples.count)
        case .float32(let samples):
            for sample in samples { sum += Double(sample) * Double(sample) }
            count = samples.count
        }
        guard count > 0, sum > 0 else { return -120 }
        return min(0, max(-120, 10 * log10(sum / Double(count))))
    }
}
