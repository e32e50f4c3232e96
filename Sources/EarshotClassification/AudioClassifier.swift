import Foundation

/// Tells music, speech and noise apart by ``AudioFeatures``: a network with one hidden layer.
///
/// Its weights are in `AudioClassifier+Weights.swift`, which `scripts/train/classifier` writes.
struct AudioClassifier: Sendable {
    /// The order of the probabilities.
    static let kinds: [AudioKind] = [.music, .speech, .noise]

    private let network = Network(
        inputs: AudioFeatures.count,
        hidden: Self.hidden,
        outputs: 3,
        values: Self.weights
    )

    /// The probabilities of ``kinds``, together 1.
    func probabilities(_ features: AudioFeatures) -> [Double] {
        let outputs = network.outputs(features.values)
        let highest = outputs.max() ?? 0
        let powers = outputs.map { exp(Double($0 - highest)) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
