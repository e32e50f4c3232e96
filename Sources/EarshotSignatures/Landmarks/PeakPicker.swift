import EarshotDSP

/// Finds the local maxima in a stream of spectrogram rows.
///
/// A peak is larger than everything within 8 frames and 5 bins; of equal values the earliest and lowest counts, so a
/// constant surface has none. Its contrast is its level above the mean of the 17 frames by 21 bins around it, its place
/// is refined by a parabola in both directions. At the ends of the audio the surroundings are what is there. Digital
/// silence is constant but for the rounding of the arithmetic; a least contrast far below that of any sound keeps it out.
struct PeakPicker: Sendable {
    /// A peak before it is ranked.
    struct Peak: Sendable {
        /// The frame of the maximum.
        var frame: Int
        /// Refined place, in steps of 1/8 frame from frame 0.
        var time: Int
        /// Refined place on the frequency axis, in steps of 1/8 bin.
        var frequency: Int
        /// Level above the mean of the surroundings, in octaves of power.
        var contrast: Float
    }

    static let frameReach = 8
    static let binReach = 5
    private static let meanReach = 10
    /// In octaves of power: 0.15 dB.
    private static let leastContrast: Float = 0.05
    private static let bins = FrequencyAxis.binCount
    /// Rows kept: what a peak needs before and after it, and the row that comes in.
    private static let ring = 32

    /// Rows of levels, of their maxima over ±5 bins, and of their running sums (one longer).
    private var levels: [Float]
    private var maxima: [Float]
    private var sums: [Float]
    /// Bins that are maxima within their own row.
    private var candidates: [[UInt8]]
    /// Rows seen.
    private(set) var rowCount = 0
    /// Rows whose peaks are known.
    private(set) var settledCount = 0

    init() {
        levels = [Float](repeating: 0, count: Self.ring * Self.bins)
        maxima = [Float](repeating: 0, count: Self.ring * Self.bins)
        sums = [Float](repeating: 0, count: Self.ring * (Self.bins + 1))
        candidates = [[UInt8]](repeating: [], count: Self.ring)
    }

    /// Takes the next row and adds the peaks that it settles.
    mutating func append(_ row: UnsafeBufferPointer<Float>, to peaks: inout [Peak]) {
        let slot = rowCount % Self.ring
        store(row, slot: slot)
        rowCount += 1
        if rowCount > Self.frameReach { settle(rowCount - 1 - Self.frameReach, to: &peaks) }
    }

    /// Adds the peaks of the last rows, whose surroundings end with the audio.
    mutating func finish(to peaks: inout [Peak]) {
        while settledCount < rowCount { settle(settledCount, to: &peaks) }
    }

    private mutating func store(_ row: UnsafeBufferPointer<Float>, slot: Int) {
        let bins = Self.bins
        maxima.withUnsafeMutableBufferPointer { maxima in
            Self.widestMaxima(
                of: row,
                into: UnsafeMutableBufferPointer(rebasing: maxima[slot * bins..<(slot + 1) * bins])
            )
        }
        levels.withUnsafeMutableBufferPointer { levels in
            for bin in 0..<bins { levels[slot * bins + bin] = row[bin] }
        }
        sums.withUnsafeMutableBufferPointer { sums in
            let start = slot * (bins + 1)
            var sum: Float = 0
            sums[start] = 0
            for bin in 0..<bins {
                sum += row[bin]
                sums[start + bin + 1] = sum
            }
        }
        var found = candidates[slot]
        candidates[slot] = []
        found.removeAll(keepingCapacity: true)
        maxima.withUnsafeBufferPointer { maxima in
            for bin in 1..<bins - 1 where row[bin] == maxima[slot * bins + bin] && row[bin] > row[bin - 1] {
                found.append(UInt8(truncatingIfNeeded: bin))
            }
        }
        candidates[slot] = found
    }

    /// For each bin the maximum over 11 bins around it, out of maxima over 2, 4 and 8: three comparisons a bin instead of
    /// ten.
    private static func widestMaxima(of row: UnsafeBufferPointer<Float>, into maxima: UnsafeMutableBufferPointer<Float>)
    {
        let vectors = bins / 8 + 2
        // What lies beyond the ends of the row is less than anything.
        withUnsafeTemporaryAllocation(byteCount: (vectors + 1) * 32, alignment: 32) { padded in
            padded.withMemoryRebound(to: Float.self) { padded in
                padded.initialize(repeating: -.infinity)
                for bin in 0..<bins { padded[bin + binReach] = row[bin] }
            }
            raise(padded, by: 1, vectors: vectors)
            raise(padded, by: 2, vectors: vectors)
            raise(padded, by: 4, vectors: vectors)
            let results = UnsafeMutableRawBufferPointer(maxima)
            for offset in stride(from: 0, to: bins * 4, by: 32) {
                let first = padded.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                let second = padded.loadUnaligned(fromByteOffset: offset + 3 * 4, as: SIMD8<Float>.self)
                results.storeBytes(of: larger(first, second), toByteOffset: offset, as: SIMD8<Float>.self)
            }
        }
    }

    /// Puts the larger of each value and the one so many places on into its place.
    @inline(__always)
    private static func raise(_ values: UnsafeMutableRawBufferPointer, by step: Int, vectors: Int) {
        for offset in stride(from: 0, to: vectors * 32, by: 32) {
            let here = values.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            let there = values.loadUnaligned(fromByteOffset: offset + step * 4, as: SIMD8<Float>.self)
            values.storeBytes(of: larger(here, there), toByteOffset: offset, as: SIMD8<Float>.self)
        }
    }

    @inline(__always)
    private static func larger(_ first: SIMD8<Float>, _ second: SIMD8<Float>) -> SIMD8<Float> {
        first.replacing(with: second, where: second .> first)
    }

    private mutating func settle(_ frame: Int, to peaks: inout [Peak]) {
        settledCount = frame + 1
        // In the first and the last row a rise cannot be told from a cut.
        guard frame > 0, frame < rowCount - 1 else { return }
        let first = max(0, frame - Self.frameReach)
        let last = min(rowCount - 1, frame + Self.frameReach)
        let bins = Self.bins
        for candidate in candidates[frame % Self.ring] {
            let bin = Int(candidate)
            let level = levels[frame % Self.ring * bins + bin]
            guard isPeak(level, bin: bin, frame: frame, first: first, last: last) else { continue }
            let low = max(0, bin - Self.meanReach)
            let high = min(bins, bin + Self.meanReach + 1)
            var sum: Float = 0
            for row in first...last {
                let base = row % Self.ring * (bins + 1)
                sum += sums[base + high] - sums[base + low]
            }
            let mean = sum / Float((high - low) * (last - first + 1))
            guard level - mean >= Self.leastContrast else { continue }
            let below = levels[frame % Self.ring * bins + bin - 1]
            let above = levels[frame % Self.ring * bins + bin + 1]
            let before = levels[(frame - 1) % Self.ring * bins + bin]
            let after = levels[(frame + 1) % Self.ring * bins + bin]
            let shift = Self.vertex(before, level, after)
            peaks.append(
                Peak(
                    frame: frame,
                    time: frame * Landmark.stepsPerFrame + Int((shift * Float(Landmark.stepsPerFrame)).rounded()),
                    frequency: Int(
                        ((Float(bin) + Self.vertex(below, level, above)) * Float(Landmark.stepsPerBin)).rounded()
                    ),
                    contrast: level - mean
                )
            )
        }
    }

    private func isPeak(_ level: Float, bin: Int, frame: Int, first: Int, last: Int) -> Bool {
        var row = frame - 1
        while row >= first {
            guard level > maxima[row % Self.ring * Self.bins + bin] else { return false }
            row -= 1
        }
        row = frame + 1
        while row <= last {
            guard level >= maxima[row % Self.ring * Self.bins + bin] else { return false }
            row += 1
        }
        return true
    }

    /// The position, between −½ and ½, of the top of the parabola through three equally spaced values.
    private static func vertex(_ before: Float, _ top: Float, _ after: Float) -> Float {
        let curvature = before - 2 * top + after
        guard curvature < 0 else { return 0 }
        return max(-0.5, min(0.5, 0.5 * (before - after) / curvature))
    }
}
