/// A small random generator whose whole course follows from its seed (SplitMix64), so that a failing property test can
/// be run again.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator that always takes the same course for one seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
