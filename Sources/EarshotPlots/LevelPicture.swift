import EarshotDSP
package import EarshotMedia
package import EarshotSignatures

/// Levels as a colored picture, low frequencies at the bottom.
package struct LevelPicture {
    private static let bins = FrequencyAxis.binCount
    /// Values looked at to find the contrast.
    private static let sampleCount = 200_000
    /// The least and greatest difference between darkest and lightest, in octaves of power: 23 and 66 dB.
    private static let leastRange: Float = 7.5
    private static let greatestRange: Float = 22

    /// The share of the spectrum's fall toward high frequencies that is removed. Landmarks are picked by how they stand
    /// out from their surroundings, so without this many stand where nothing is seen; without any of the fall, the
    /// picture would no longer tell loud from quiet.
    private static let flattening: Float = 0.7
    /// Bins, to either side, over which that fall is smoothed: half an octave, so that partials stay.
    private static let smoothing = 24

    package let levels: SpectrogramLevels
    /// The levels added to those of each bin.
    package let lift: [Float]
    /// The levels, lifted, that are darkest and lightest.
    package let contrast: ClosedRange<Float>

    package init(_ levels: SpectrogramLevels) {
        self.levels = levels
        lift = Self.lift(of: levels.values)
        contrast = Self.contrast(of: levels.values, lift: lift)
    }

    /// Returns the levels that even out the floor over the bins: the smoothed mean of each, with its sign reversed.
    package static func lift(of values: [Float]) -> [Float] {
        var sums = [Float](repeating: 0, count: bins)
        var counts = sums
        for (index, value) in values.enumerated() where value > SpectrogramLevels.silence {
            sums[index % bins] += value
            counts[index % bins] += 1
        }
        guard counts.contains(where: { $0 > 0 }) else { return [Float](repeating: 0, count: bins) }
        let whole = sums.reduce(0, +) / counts.reduce(0, +)
        return (0..<bins).map { bin in
            let near = max(0, bin - smoothing)...min(bins - 1, bin + smoothing)
            let count = counts[near].reduce(0, +)
            return count > 0 ? flattening * (whole - sums[near].reduce(0, +) / count) : 0
        }
    }

    /// The levels between which colors are spread: from that which half lie under, the floor of noise, to that which
    /// one in five hundred lies over. Digital silence does not count.
    package static func contrast(of values: [Float], lift: [Float]) -> ClosedRange<Float> {
        // A stride that shares no factor with the bins meets all of them.
        var stride = max(1, values.count / sampleCount)
        while stride > 1, [2, 3, 5].contains(where: { stride.isMultiple(of: $0) }) { stride += 1 }
        var sample: [Float] = []
        for index in Swift.stride(from: 0, to: values.count, by: stride) {
            if values[index] > SpectrogramLevels.silence { sample.append(values[index] + lift[index % bins]) }
        }
        guard !sample.isEmpty else { return 0...leastRange }
        sample.sort()
        let high = sample[min(sample.count - 1, sample.count * 998 / 1_000)]
        let low = sample[sample.count / 2]
        return min(max(low, high - greatestRange), high - leastRange)...high
    }

    /// Draws a stretch of time over the whole width.
    ///
    /// Where several rows fall on a column the largest level shows; where columns and pixels are finer than levels, they
    /// are joined by straight lines. Before the first and after the last row there is nothing.
    package func image(times: ClosedRange<Double>, width: Int, height: Int) -> RasterImage {
        let darkest = ColorMap.table[0]
        let background = [darkest.red, darkest.green, darkest.blue]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for _ in 0..<width * height { bytes.append(contentsOf: background) }
        let second = (times.upperBound - times.lowerBound) / Double(width)
        let scale = 255 / (contrast.upperBound - contrast.lowerBound)
        for x in 0..<width {
            let start = times.lowerBound + Double(x) * second
            guard let plain = column(from: levels.row(atTime: start), to: levels.row(atTime: start + second)) else {
                continue
            }
            let column = zip(plain, lift).map { $0 + $1 }
            for y in 0..<height {
                let place = (Double(height - y) - 0.5) / Double(height) * Double(Self.bins) - 0.5
                let value = (Self.between(column, place) - contrast.lowerBound) * scale
                let color = ColorMap.table[Int(min(max(value, 0), 255))]
                let pixel = (y * width + x) * 3
                bytes[pixel] = color.red
                bytes[pixel + 1] = color.green
                bytes[pixel + 2] = color.blue
            }
        }
        return RasterImage(width: width, height: height, pixelFormat: .rgb8, bytes: bytes)
    }

    /// The levels of one column of pixels, which reaches from one place among the rows to another.
    private func column(from low: Double, to high: Double) -> [Float]? {
        let last = levels.rowCount - 1
        guard last >= 0, high > -0.5, low < Double(last) + 0.5 else { return nil }
        if high - low <= 1 {
            let middle = min(max((low + high) / 2, 0), Double(last))
            let (row, next) = (Int(middle), min(Int(middle) + 1, last))
            let part = Float(middle - Double(row))
            return (0..<Self.bins).map { bin in
                let (left, right) = (levels.values[row * Self.bins + bin], levels.values[next * Self.bins + bin])
                return left + (right - left) * part
            }
        }
        let first = min(max(Int((low + 0.5).rounded(.down)), 0), last)
        let end = min(max(Int((high + 0.5).rounded(.down)), first), last)
        var column = Array(levels.values[first * Self.bins..<(first + 1) * Self.bins])
        for row in first...end {
            for bin in 0..<Self.bins { column[bin] = max(column[bin], levels.values[row * Self.bins + bin]) }
        }
        return column
    }

    private static func between(_ column: [Float], _ place: Double) -> Float {
        let clamped = min(max(place, 0), Double(column.count - 1))
        let index = Int(clamped)
        let next = min(index + 1, column.count - 1)
        return column[index] + (column[next] - column[index]) * Float(clamped - Double(index))
    }
}
