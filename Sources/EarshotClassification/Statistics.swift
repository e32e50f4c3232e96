/// Mean, deviation and skewness of values that come one by one.
struct Statistics: Sendable {
    private var count = 0.0
    private var sum = 0.0
    private var squares = 0.0
    private var cubes = 0.0

    mutating func add(_ value: Float) {
        let value = Double(value)
        count += 1
        sum += value
        squares += value * value
        cubes += value * value * value
    }

    /// 0 of no values.
    var mean: Float { Float(count > 0 ? sum / count : 0) }

    private var variance: Double {
        guard count > 0 else { return 0 }
        let mean = sum / count
        return max(0, squares / count - mean * mean)
    }

    var deviation: Float { Float(variance.squareRoot()) }

    /// Within -5 to 5; 0 where values hardly differ.
    var skewness: Float {
        let variance = variance
        guard variance > 1e-9 else { return 0 }
        let mean = sum / count
        let third = cubes / count - 3 * mean * squares / count + 2 * mean * mean * mean
        return Float(min(5, max(-5, third / (variance * variance.squareRoot()))))
    }
}
