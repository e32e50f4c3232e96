/// What other modules need to know of the frequency axis.
package enum FrequencyAxisScale {
    /// Bins in one octave.
    package static let binsPerOctave = FrequencyAxis.binsPerOctave
    /// Bins in all.
    package static let binCount = FrequencyAxis.binCount

    /// The frequency, in hertz, of a position in bins.
    package static func frequency(ofBin bin: Double) -> Double { FrequencyAxis.frequency(ofBin: bin) }
}
