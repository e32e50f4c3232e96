import EarshotDSP
import EarshotSignatures
import Foundation

/// Figures that tell music, speech and noise apart, of up to three seconds of sound.
///
/// None depends on the level: powers below a 100,000th of the mean count as that, and levels are taken relative to it.
struct AudioFeatures: Sendable {
    /// Rows of the fast spectrogram within three seconds.
    static let windowRows = 186
    /// A row below this power (-60 dBFS) is silent.
    static let silence: Float = 1e-6
    /// So many rows with sound are wanted: 1.2 s.
    static let audibleRows = 75

    /// The figures, always ``count``.
    private(set) var values: [Float] = []

    /// The figures' number.
    static let count = 78

    private static let cepstra = 13
    /// Cosines of the cepstrum, row by row.
    private static let cosines: [Float] = (0..<cepstra * SpectralFrames.bandCount).map { index in
        let (order, band) = (index / SpectralFrames.bandCount, index % SpectralFrames.bandCount)
        return Float(cos(.pi * Double(order) * (Double(band) + 0.5) / Double(SpectralFrames.bandCount)))
    }

    private static let envelopes = 4
    private static let modulations: [(low: Double, high: Double)] = [(0.6, 2), (2, 3.5), (3.5, 6), (6, 10), (10, 20)]

    /// The share of rows with sound, and the rows from the first to the last of them.
    static func audible(_ frames: SpectralFrames, rows: Range<Int>) -> (count: Int, span: Range<Int>) {
        var count = 0
        var (first, last) = (rows.upperBound, rows.lowerBound)
        for row in rows where frames.rows[row - frames.firstRow].power > silence {
            count += 1
            first = min(first, row)
            last = max(last, row)
        }
        return (count, count > 0 ? first..<last + 1 : rows.lowerBound..<rows.lowerBound)
    }

    /// The figures of rows, of which there are at least 16.
    init(_ frames: SpectralFrames, rows: Range<Int>) {
        values.reserveCapacity(Self.count)
        let count = rows.count
        let bandCount = SpectralFrames.bandCount
        let offset = (rows.lowerBound - frames.firstRow)
        var mean: Float = 0
        for row in 0..<count * bandCount { mean += frames.bands[offset * bandCount + row] }
        mean /= Float(count)
        let floor = max(mean * 1e-5, 1e-14)

        // Logarithms of the bands to base 2, and everything that comes from one row.
        var logs = [Float](repeating: 0, count: count * bandCount)
        Self.logarithms(frames.bands, offset * bandCount, floor, &logs)
        shape(logs, count)
        loudness(frames, rows)
        modulation(logs, count)
        rhythm(logs, count)
        tones(frames, rows)
    }

    private static func logarithms(_ bands: [Float], _ offset: Int, _ floor: Float, _ logs: inout [Float]) {
        var index = 0
        while index < logs.count {
            var lanes = SIMD8<Float>(repeating: 1)
            let count = min(8, logs.count - index)
            for lane in 0..<count { lanes[lane] = (bands[offset + index + lane] + floor) * 1e6 }
            lanes = FrequencyAxis.logarithm(lanes)
            for lane in 0..<count { logs[index + lane] = lanes[lane] }
            index += 8
        }
    }

    // MARK: - Color of the sound

    private mutating func shape(_ logs: [Float], _ count: Int) {
        let bands = SpectralFrames.bandCount
        var cepstrum = [Float](repeating: 0, count: count * Self.cepstra)
        var (centroid, flatness, slope) = (Statistics(), Statistics(), Statistics())
        var flux = Statistics()
        for row in 0..<count {
            let base = row * bands
            for order in 1..<Self.cepstra {
                var sum: Float = 0
                for band in 0..<bands { sum += logs[base + band] * Self.cosines[order * bands + band] }
                cepstrum[row * Self.cepstra + order] = sum / Float(bands)
            }
            var (power, weighted, level): (Float, Float, Float) = (1e-12, 0, 0)
            var highest = logs[base]
            for band in 0..<bands {
                highest = max(highest, logs[base + band])
                level += logs[base + band]
            }
            for band in 0..<bands {
                // Powers relative to the strongest band.
                let linear = Float(exp2(Double(logs[base + band] - highest)))
                power += linear
                weighted += linear * Float(band)
            }
            centroid.add(weighted / power)
            flatness.add(level / Float(bands) - highest - Float(log2(Double(power / Float(bands)))))
            slope.add(highest - level / Float(bands))
            if row > 0 {
                var change: Float = 0
                for band in 0..<bands { change += abs(logs[base + band] - logs[base + band - bands]) }
                flux.add(change / Float(bands))
            }
        }
        for order in 1..<Self.cepstra {
            var (value, delta) = (Statistics(), Statistics())
            for row in 0..<count {
                value.add(cepstrum[row * Self.cepstra + order])
                if row >= 2 {
                    delta.add(abs(cepstrum[row * Self.cepstra + order] - cepstrum[(row - 2) * Self.cepstra + order]))
                }
            }
            values += [value.mean, value.deviation]
            if order <= 8 { values.append(delta.mean / (value.deviation + 0.05)) }
        }
        values += [centroid.mean, centroid.deviation, flatness.mean, flatness.deviation, slope.mean, slope.deviation]
        values += [flux.mean, flux.deviation, flux.skewness]
    }

    // MARK: - Level

    private mutating func loudness(_ frames: SpectralFrames, _ rows: Range<Int>) {
        var levels: [Float] = []
        levels.reserveCapacity(rows.count)
        var (level, crossings) = (Statistics(), Statistics())
        var mean: Float = 0
        for row in rows { mean += frames.rows[row - frames.firstRow].power }
        mean = mean / Float(rows.count) + 1e-14
        var (low, deep) = (0, 0)
        for row in rows {
            let row = frames.rows[row - frames.firstRow]
            let relative = row.power / mean
            let decibels = Float(10 * log10(Double(relative) + 1e-5))
            level.add(decibels)
            levels.append(decibels)
            if relative < 0.25 { low += 1 }
            if relative < 0.01 { deep += 1 }
            crossings.add(row.crossings)
        }
        levels.sort()
        func quantile(_ share: Double) -> Float { levels[Int(share * Double(levels.count - 1))] }
        values += [level.mean, level.deviation, level.skewness, quantile(0.1), quantile(0.5), quantile(0.95)]
        values += [Float(low) / Float(rows.count), Float(deep) / Float(rows.count)]
        values += [crossings.mean, crossings.deviation, crossings.skewness]
    }

    // MARK: - Movement

    /// Shares of the movement of loudness at rates of a few hertz: syllables come four times a second.
    private mutating func modulation(_ logs: [Float], _ count: Int) {
        let bands = SpectralFrames.bandCount
        let perEnvelope = bands / Self.envelopes
        let rate = Double(SpectralFrames.sampleRate) / Double(SpectralFrames.hop)
        var shares = [Float](repeating: 0, count: Self.modulations.count)
        var envelope = [Float](repeating: 0, count: count)
        var total: Float = 1e-3
        for part in 0..<Self.envelopes {
            var statistics = Statistics()
            for row in 0..<count {
                var sum: Float = 0
                for band in part * perEnvelope..<(part + 1) * perEnvelope { sum += logs[row * bands + band] }
                envelope[row] = sum / Float(perEnvelope)
                statistics.add(envelope[row])
            }
            for row in 0..<count { envelope[row] -= statistics.mean }
            total += statistics.deviation * statistics.deviation
            for (index, range) in Self.modulations.enumerated() {
                let step = rate / Double(count)
                let first = max(1, Int((range.low / step).rounded(.up)))
                let last = Int((range.high / step).rounded(.up)) - 1
                for line in stride(from: first, through: max(first, last), by: 1) {
                    shares[index] += Self.lineShare(envelope, line)
                }
            }
        }
        for share in shares { values.append(share / total) }
        values.append(Float(log2(Double(total))))
    }

    /// The variance in one line of the Fourier transform, by Goertzel's recurrence.
    private static func lineShare(_ signal: [Float], _ line: Int) -> Float {
        let angle = 2 * Double.pi * Double(line) / Double(signal.count)
        let factor = Float(2 * cos(angle))
        var (s1, s2): (Float, Float) = (0, 0)
        for sample in signal { (s1, s2) = (sample + factor * s1 - s2, s1) }
        let power = s1 * s1 + s2 * s2 - factor * s1 * s2
        return 2 * power / Float(signal.count * signal.count)
    }

    /// Adds how well onsets repeat at distances of 0.2 to 1.3 s, and the statistics of the onsets.
    private mutating func rhythm(_ logs: [Float], _ count: Int) {
        let bands = SpectralFrames.bandCount
        var onsets = [Float](repeating: 0, count: count)
        var statistics = Statistics()
        for row in 1..<count {
            var rise: Float = 0
            for band in 0..<bands { rise += max(0, logs[row * bands + band] - logs[(row - 1) * bands + band]) }
            onsets[row] = rise / Float(bands)
            statistics.add(onsets[row])
        }
        for row in 1..<count { onsets[row] -= statistics.mean }
        var power: Float = 1e-6
        for onset in onsets { power += onset * onset }
        var (best, sum, lags): (Float, Float, Float) = (0, 0, 0)
        for lag in 12..<min(82, max(13, count * 2 / 3)) {
            var product: Float = 0
            for row in 0..<max(0, count - lag) { product += onsets[row] * onsets[row + lag] }
            let share = product / power * Float(count) / Float(count - lag)
            best = max(best, share)
            sum += abs(share)
            lags += 1
        }
        values += [best, best - sum / max(1, lags), statistics.mean, statistics.deviation, statistics.skewness]
    }

    // MARK: - Tones

    private mutating func tones(_ frames: SpectralFrames, _ rows: Range<Int>) {
        let first = max(frames.firstFine, (rows.lowerBound + 1) / 2)
        let last = min(frames.fineCount, max(first + 1, (rows.upperBound - 6) / 2))
        let part = frames.fine[(first - frames.firstFine)..<max(first, last) - frames.firstFine]
        let tones = Array(part)
        var (peaks, tonal, harmonicity) = (Statistics(), Statistics(), Statistics())
        var kept = [Float](repeating: 0, count: 3)
        var counted = [Float](repeating: 1e-3, count: 3)
        var (voiced, still, gliding, pairs): (Float, Float, Float, Float) = (0, 0, 0, 1e-3)
        var pitch = Statistics()
        var chroma = SIMD16<Float>.zero
        for (index, row) in tones.enumerated() {
            peaks.add(Float(row.peakCount))
            tonal.add(row.tonalShare)
            harmonicity.add(row.harmonicity)
            chroma += row.chroma
            for (place, distance) in [1, 3, 8].enumerated() where index >= distance {
                let before = tones[index - distance]
                kept[place] += Self.common(row.peaks, before.peaks)
                counted[place] += Float(row.peakCount)
            }
            guard row.harmonicity > 1.5 else { continue }
            voiced += 1
            pitch.add(row.pitch)
            if index > 0, tones[index - 1].harmonicity > 1.5 {
                let change = abs(row.pitch - tones[index - 1].pitch)
                pairs += 1
                // Below a sixth of a semitone, and up to three semitones, in 32 ms.
                if change < 1.0 / 72 { still += 1 } else if change < 0.25 { gliding += 1 }
            }
        }
        let count = Float(max(1, tones.count))
        values += [peaks.mean, peaks.deviation, tonal.mean, tonal.deviation, harmonicity.mean, harmonicity.deviation]
        for place in 0..<3 { values.append(kept[place] / counted[place]) }
        values += [voiced / count, still / pairs, gliding / pairs, pitch.deviation]
        let strength = chroma.sum() + 1e-3
        var entropy: Float = 0
        for place in 0..<12 where chroma[place] > 0 {
            entropy -= chroma[place] / strength * Float(log2(Double(chroma[place] / strength)))
        }
        values.append(entropy)
        values.append(pitch.mean)
    }

    /// Peaks of a row that stood in the same place, or beside it, in another.
    private static func common(_ row: SIMD16<UInt64>, _ other: SIMD16<UInt64>) -> Float {
        var count = 0
        for word in 0..<10 {
            var near = other[word] | other[word] << 1 | other[word] >> 1
            if word > 0 { near |= other[word - 1] >> 63 }
            if word < 9 { near |= other[word + 1] << 63 }
            count += (row[word] & near).nonzeroBitCount
        }
        return Float(count)
    }
}
