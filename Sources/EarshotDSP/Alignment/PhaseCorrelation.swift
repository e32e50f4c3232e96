import Foundation

/// The measurement of the delay of one block of audio behind another, by generalized cross-correlation with the phase
/// transform (GCC-PHAT).
///
/// With the spectra *X* of a block and *Y* of a reference block, each under a Hann window,
///
///     r(d) = mean over k of  X[k] · conj(Y[k]) / |X[k] · conj(Y[k])| · exp(2πi · k · d / N)
///
/// Every frequency counts alike, whatever its level, so that a common delay gives one sharp peak where plain correlation
/// of music gives a hill with ripples. The peak's height is near 1 when all frequencies agree and falls with the share of
/// them that noise or a narrow line has taken. Its place is worked out between samples: r(d) is a finite sum of cosines,
/// whose maximum Newton's method finds from the highest sample on.
///
/// The method is that of C. H. Knapp and G. C. Carter, "The generalized correlation method for estimation of time delay",
/// IEEE Transactions on Acoustics, Speech, and Signal Processing 24 (4), 1976.
package struct PhaseCorrelation: Sendable {
    /// The highest point of a correlation.
    package struct Peak: Hashable, Sendable {
        /// The lag of the block behind the reference, in samples, with its fraction; negative when the block leads.
        package let delay: Double
        /// The share of the frequencies that agree, from 0 to 1.
        package let height: Double
        /// The height of the peak over the root mean square of the correlation at the delays tried, without those
        /// beside the peak. Unrelated noise reaches about 4, rarely 6.
        package let clarity: Double
        /// `true` if one of the two has its polarity turned round.
        package let isInverted: Bool
    }

    /// Samples of a block, a power of two.
    package let blockSize: Int
    private let window: [Float]
    private var transform: ComplexTransform
    private var real: [Float]
    private var imaginary: [Float]
    /// The whitened cross-spectrum, of frequencies from 0 to half the rate.
    private var crossReal: [Float]
    private var crossImaginary: [Float]

    /// The block sizes there are: powers of two from 256 to 1,048,576 samples.
    package static let blockSizes = 256...1 << 20

    /// Samples to either side of a peak that belong to it.
    private static let peakReach = 24
    /// A block whose root mean square is below this, with full scale at 1, is silence.
    private static let silence: Float = 1e-6

    /// A correlation of blocks of one size.
    ///
    /// - Parameter blockSize: Samples of a block: the next power of two of ``blockSizes`` is taken.
    package init(blockSize: Int) {
        var size = Self.blockSizes.lowerBound
        while size < min(blockSize, Self.blockSizes.upperBound) { size *= 2 }
        self.blockSize = size
        window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size))) }
        transform = ComplexTransform(size: size)
        real = [Float](repeating: 0, count: size)
        imaginary = [Float](repeating: 0, count: size)
        crossReal = [Float](repeating: 0, count: size / 2)
        crossImaginary = [Float](repeating: 0, count: size / 2)
    }

    /// The delay between two blocks of one rate.
    ///
    /// - Parameters:
    ///   - block: Samples; what is beyond ``blockSize`` is left out, what is missing is silence.
    ///   - reference: Samples to compare with, in the same way.
    ///   - maximumDelay: The longest lag and lead to look at, in samples; a quarter of ``blockSize`` at most.
    /// - Returns: The peak; `nil` if a block is silent or holds what is not a finite number.
    package mutating func peak(of block: [Float], against reference: [Float], maximumDelay: Int) -> Peak? {
        guard let blockGain = Self.gain(block.prefix(blockSize)),
            let referenceGain = Self.gain(reference.prefix(blockSize))
        else { return nil }
        // Both are real: one transform takes the block as its real part and the reference as its imaginary part.
        for index in 0..<blockSize {
            real[index] = index < block.count ? block[index] * window[index] * blockGain : 0
            imaginary[index] = index < reference.count ? reference[index] * window[index] * referenceGain : 0
        }
        transform.transform(&real, &imaginary)
        let bins = whiten()
        guard bins > 0 else { return nil }
        for index in 0..<blockSize / 2 {
            let mirror = index == 0 ? 0 : blockSize - index
            // Exchanged, for the inverse.
            (real[index], imaginary[index]) = (crossImaginary[index], crossReal[index])
            (real[mirror], imaginary[mirror]) = (-crossImaginary[index], crossReal[index])
        }
        (real[0], imaginary[0], real[blockSize / 2], imaginary[blockSize / 2]) = (0, 0, 0, 0)
        transform.transform(&real, &imaginary)
        return highest(scale: 1 / Double(2 * bins), maximumDelay: min(max(maximumDelay, 0), blockSize / 4))
    }

    /// Returns the gain that brings a block to a root mean square of 1, so that rounding takes nothing from the weaker
    /// of the two; `nil` for silence.
    private static func gain(_ samples: ArraySlice<Float>) -> Float? {
        let power = samples.reduce(into: Double(0)) { $0 += Double($1) * Double($1) } / Double(max(1, samples.count))
        let level = Float(power.squareRoot())
        return level.isFinite && level > silence ? 1 / level : nil
    }

    /// Divides the cross-spectrum by its magnitude.
    ///
    /// - Returns: The number of frequencies that have any level.
    private mutating func whiten() -> Int {
        var count = 0
        // Below this there is nothing but rounding.
        let floor = Float(blockSize) * 1e-9
        for bin in 1..<blockSize / 2 {
            let mirror = blockSize - bin
            let (xr, xi) = (real[bin] + real[mirror], imaginary[bin] - imaginary[mirror])
            let (yr, yi) = (imaginary[bin] + imaginary[mirror], real[mirror] - real[bin])
            let (gr, gi) = (xr * yr + xi * yi, xi * yr - xr * yi)
            let magnitude = (gr * gr + gi * gi).squareRoot()
            guard magnitude > floor else {
                (crossReal[bin], crossImaginary[bin]) = (0, 0)
                continue
            }
            (crossReal[bin], crossImaginary[bin]) = (gr / magnitude, gi / magnitude)
            count += 1
        }
        return count
    }

    /// The peak of the correlation, whose values are now in `imaginary`.
    private func highest(scale: Double, maximumDelay: Int) -> Peak? {
        func value(_ delay: Int) -> Float { imaginary[delay & (blockSize - 1)] }
        var best = 0
        for delay in -maximumDelay...maximumDelay where abs(value(delay)) > abs(value(best)) { best = delay }
        // The surroundings are those of the search, and of some breadth where that is narrow.
        let reach = max(maximumDelay, 256)
        var (power, count) = (0.0, 0)
        for delay in -reach...reach where abs(delay - best) > Self.peakReach {
            power += Double(value(delay)) * Double(value(delay))
            count += 1
        }
        let background = (power / Double(max(1, count))).squareRoot()
        let sign: Double = value(best) < 0 ? -1 : 1
        // A parabola through three samples to begin with, near enough for Newton's method.
        let beside = (Double(value(best - 1)), Double(value(best)), Double(value(best + 1)))
        let bend = beside.0 - 2 * beside.1 + beside.2
        let vertex = bend * sign < 0 ? min(max((beside.0 - beside.2) / (2 * bend), -0.5), 0.5) : 0
        let (place, height) = refined(Double(best) + vertex, near: Double(best), sign: sign)
        let clarity = background > 0 ? abs(Double(value(best))) / background : .greatestFiniteMagnitude
        return Peak(
            delay: place,
            height: min(1, 2 * height * scale),
            clarity: clarity,
            isInverted: sign < 0
        )
    }

    /// The maximum of r(d) near a sample, and its sum over the frequencies.
    private func refined(_ start: Double, near sample: Double, sign: Double) -> (place: Double, height: Double) {
        var place = start
        var height = 0.0
        for round in 0..<5 {
            var (sum, slope, bend) = (0.0, 0.0, 0.0)
            // exp(i · step · bin) by its recurrence.
            let step = 2 * .pi / Double(blockSize)
            let (turnReal, turnImaginary) = (cos(step * place), sin(step * place))
            var (wr, wi) = (1.0, 0.0)
            for bin in 1..<blockSize / 2 {
                (wr, wi) = (wr * turnReal - wi * turnImaginary, wr * turnImaginary + wi * turnReal)
                let (gr, gi) = (Double(crossReal[bin]), Double(crossImaginary[bin]))
                let frequency = step * Double(bin)
                let even = gr * wr - gi * wi
                sum += even
                slope -= frequency * (gr * wi + gi * wr)
                bend -= frequency * frequency * even
            }
            height = sign * sum
            guard round < 4, sign * bend < 0 else { break }
            // The samples beside it were lower: the maximum is less than one sample away.
            place = min(max(place - min(max(slope / bend, -0.3), 0.3), sample - 1), sample + 1)
        }
        return (place, height)
    }
}
