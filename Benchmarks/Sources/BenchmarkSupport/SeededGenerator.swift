/// Random numbers that follow from a seed, the same on every machine: SplitMix64.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator of a seed.
    public init(seed: UInt64) { state = seed }

    /// A generator of a seed and a name, so that what is drawn for one thing does not depend on how many others there are.
    public init(seed: UInt64, name: String) {
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ hash
        _ = next()
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number between 0 and 1.
    public mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// A whole number of a range; the range is not empty.
    public mutating func integer(in range: Range<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }
}
