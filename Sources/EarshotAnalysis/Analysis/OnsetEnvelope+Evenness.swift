extension OnsetEnvelope {
    /// The flux as beats are looked for in it: what stands out from its surroundings, equally strong in loud and in quiet
    /// passages.
    ///
    /// From each value the mean of one second around it is taken away, what is left below zero is dropped, and the rest is
    /// divided by its root mean square in eight seconds around it.
    static func evened(_ values: [Float]) -> [Float] {
        let near = means(of: values, reach: 50)
        var result = zip(values, near).map { max(0, $0 - $1) }
        let power = means(of: result.map { $0 * $0 }, reach: 400)
        // A passage far quieter than the whole is left quiet.
        let whole = power.reduce(0) { $0 + Double($1) } / Double(max(1, power.count))
        let least = Float(max(whole * 0.01, 1e-9))
        for index in result.indices { result[index] /= max(power[index], least).squareRoot() }
        return result
    }

    /// The mean of the values up to `reach` places away on either side.
    private static func means(of values: [Float], reach: Int) -> [Float] {
        var sum = 0.0
        var (begin, end) = (0, 0)
        return values.indices.map { index in
            while end < min(values.count, index + reach + 1) {
                sum += Double(values[end])
                end += 1
            }
            while begin < index - reach {
                sum -= Double(values[begin])
                begin += 1
            }
            return Float(sum / Double(end - begin))
        }
    }
}
