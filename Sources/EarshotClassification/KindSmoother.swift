import Foundation

/// Keeps one odd window from looking like a change: the probabilities of a kind that rarely changes, given what every
/// window says.
struct KindSmoother: Sendable {
    /// The probability that the kind is another a second later.
    private static let change = 0.1
    /// Windows overlap by two thirds, so each says less than it would alone.
    private static let weight = 0.7

    private var state: [Double]?

    /// Forgets the windows so far.
    mutating func reset() { state = nil }

    /// The probabilities after the next window.
    mutating func smooth(_ probabilities: [Double]) -> [Double] {
        let others = Double(max(1, probabilities.count - 1))
        let next = probabilities.indices.map { index in
            let before = state?[index] ?? 1 / Double(probabilities.count)
            let prior = before * (1 - Self.change) + (1 - before) * Self.change / others
            return prior * pow(max(probabilities[index], 1e-3), Self.weight)
        }
        let sum = next.reduce(0, +)
        state = next.map { $0 / sum }
        return state ?? probabilities
    }
}
