import EarshotDSP

/// A peak of the spectrogram that rises above its surroundings: the unit by which recordings are recognized.
package struct Landmark: Hashable, Sendable {
    /// The number of time steps in one frame: a frame is 16 ms, a step 2 ms.
    package static let stepsPerFrame = 8
    /// The number of frequency steps in one bin of the frequency axis: a bin is 1/48 octave, a step 1/384.
    package static let stepsPerBin = 8
    /// The number of time steps in a second: 500.
    package static let stepsPerSecond = SignatureConfiguration.sampleRate * stepsPerFrame / Spectrogram.hop
    /// The number of steps of the frequency axis: 1,920. A landmark's frequency is less.
    package static let frequencyCount = FrequencyAxis.binCount * stepsPerBin
    /// The number of ranks in a tier.
    package static let ranksPerTier = 8
    /// The number of tiers that landmarks can have: 0 to 15.
    package static let tierCount = 16

    /// The time of the peak, in steps of 2 ms from the start of the audio.
    package var time: UInt32
    /// The position on the frequency axis, in steps of 1/384 octave above 180 Hz; less than 1,920.
    package var frequency: UInt16
    /// The rank among the peaks within half a second to either side, divided by eight: tier 0 has the eight strongest
    /// of a second, tier 1 the next eight, up to tier 15. It is not a level, so quiet passages count as much as loud
    /// ones.
    package var tier: UInt8

    package init(time: UInt32, frequency: UInt16, tier: UInt8) {
        self.time = time
        self.frequency = frequency
        self.tier = tier
    }
}

extension Landmark: Comparable {
    /// Orders landmarks by time, then frequency, then tier.
    package static func < (left: Landmark, right: Landmark) -> Bool {
        (left.time, left.frequency, left.tier) < (right.time, right.frequency, right.tier)
    }
}
