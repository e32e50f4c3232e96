import Foundation

/// A network with one hidden layer of hyperbolic tangents over normalized figures.
struct Network: Sendable {
    private let inputs: Int
    private let hidden: Int
    private let outputs: Int
    private let values: [Float]

    /// - Parameter values: Means of the inputs, factors of the inputs, then for each hidden unit its weights and its
    ///   constant, then the same for each output.
    init(inputs: Int, hidden: Int, outputs: Int, values: [Float]) {
        precondition(values.count == 2 * inputs + hidden * (inputs + 1) + outputs * (hidden + 1))
        self.inputs = inputs
        self.hidden = hidden
        self.outputs = outputs
        self.values = values
    }

    /// The outputs, not normalized.
    func outputs(_ figures: [Float]) -> [Float] {
        precondition(figures.count == inputs)
        var normal = figures
        for index in 0..<inputs {
            normal[index] = min(6, max(-6, (figures[index] - values[index]) * values[inputs + index]))
        }
        let middle = layer(normal, hidden, 2 * inputs).map { Float(tanh(Double($0))) }
        return layer(middle, outputs, 2 * inputs + hidden * (inputs + 1))
    }

    private func layer(_ figures: [Float], _ units: Int, _ start: Int) -> [Float] {
        (0..<units).map { unit in
            let row = start + unit * (figures.count + 1)
            var sum = values[row + figures.count]
            for index in 0..<figures.count { sum += values[row + index] * figures[index] }
            return sum
        }
    }
}
