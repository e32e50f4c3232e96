import EarshotDSP
import EarshotSignatures
import Foundation

/// The tones in one row of the fine spectrogram.
struct ToneRow: Sendable {
    /// One bit for each bin that holds a peak.
    var peaks: SIMD16<UInt64>
    var peakCount: Int32
    /// The share of the power that lies in peaks.
    var tonalShare: Float
    /// The measure of how well the best fundamental explains the peaks, and the logarithm of the fundamental (base 2 of
    /// hertz).
    var harmonicity: Float
    var pitch: Float
    /// Prominence of the peaks of each pitch class.
    var chroma: SIMD16<Float>
}

/// Finds peaks that stand out of their surroundings, and the fundamental that they may be partials of.
struct ToneFinder: Sendable {
    typealias Lanes = FourierPlan.Lanes

    /// 62 Hz to 5 kHz, in steps of 7.8 Hz.
    static let bins = 8..<640
    /// A peak stands out by so much, in powers of two: 9 dB.
    private static let prominence: Float = 3
    private static let surroundings = 12
    private static let stepsPerOctave = 36
    private static let pitches = 102
    private static let lowestPitch = 70.0
    private static let partials = 8

    private var levels = [Lanes](repeating: .zero, count: bins.count)
    private var sums = [Float](repeating: 0, count: bins.count + 1)
    private var level = [Float](repeating: 0, count: bins.count)
    private var excess = [Float](repeating: 0, count: bins.count)
    private var scores = [Float](repeating: 0, count: pitches)
    /// For each pitch the places of its partials and of the gaps below them, within ``bins``.
    private let places: [(partial: Int32, gap: Int32)]
    private let pitchClasses: [UInt8]

    init() {
        let spacing = Double(SpectralFrames.sampleRate) / Double(SpectralFrames.fineSize)
        var places: [(Int32, Int32)] = []
        for pitch in 0..<Self.pitches {
            let frequency = Self.lowestPitch * exp2(Double(pitch) / Double(Self.stepsPerOctave))
            for partial in 1...Self.partials {
                let bin = Int((frequency * Double(partial) / spacing).rounded()) - Self.bins.lowerBound
                let gap = Int((frequency * (Double(partial) - 0.5) / spacing).rounded()) - Self.bins.lowerBound
                places.append((Int32(clamping: max(0, bin)), Int32(clamping: max(0, gap))))
            }
        }
        self.places = places
        pitchClasses = Self.bins.map { bin in
            let place = 12 * log2(Double(bin) * spacing / 440)
            return UInt8((Int(place.rounded()) % 12 + 12) % 12)
        }
    }

    /// Adds eight rows.
    mutating func rows(of powers: [Lanes], to rows: inout [ToneRow]) {
        for index in 0..<Self.bins.count { levels[index] = FrequencyAxis.logarithm(powers[index] * 64) }
        for lane in 0..<8 {
            for index in 0..<Self.bins.count { level[index] = levels[index][lane] }
            rows.append(row(powers, lane))
        }
    }

    private mutating func row(_ powers: [Lanes], _ lane: Int) -> ToneRow {
        let count = Self.bins.count
        var sum: Float = 0
        var highest = level[0]
        for index in 0..<count {
            sum += level[index]
            sums[index + 1] = sum
            highest = max(highest, level[index])
        }
        let floor = highest - 17
        for index in 0..<count {
            let (low, high) = (max(0, index - Self.surroundings), min(count, index + Self.surroundings + 1))
            excess[index] = level[index] - (sums[high] - sums[low]) / Float(high - low)
        }
        var row = ToneRow(
            peaks: .zero,
            peakCount: 0,
            tonalShare: 0,
            harmonicity: 0,
            pitch: 0,
            chroma: .zero
        )
        var (tonal, total): (Float, Float) = (0, 1e-12)
        for index in 0..<count { total += powers[index][lane] }
        for index in 2..<count - 2 {
            let here = level[index]
            guard excess[index] > Self.prominence, here > floor, here > level[index - 1], here >= level[index + 1],
                here > level[index - 2], here >= level[index + 2]
            else { continue }
            row.peaks[index >> 6] |= 1 << UInt64(index & 63)
            row.peakCount += 1
            tonal += powers[index - 1][lane] + powers[index][lane] + powers[index + 1][lane]
            row.chroma[Int(pitchClasses[index])] += excess[index]
        }
        row.tonalShare = tonal / total
        findPitch(&row)
        return row
    }

    private mutating func findPitch(_ row: inout ToneRow) {
        var best = 0
        for pitch in 0..<Self.pitches {
            var score: Float = 0
            for index in pitch * Self.partials..<(pitch + 1) * Self.partials {
                let place = places[index]
                guard Int(place.partial) < Self.bins.count else { break }
                score += min(max(excess[Int(place.partial)], 0), 6) - min(max(excess[Int(place.gap)], 0), 6)
            }
            scores[pitch] = score
            if score > scores[best] { best = pitch }
        }
        row.harmonicity = scores[best] / Float(Self.partials)
        var place = Float(best)
        if best > 0, best < Self.pitches - 1 {
            let (left, middle, right) = (scores[best - 1], scores[best], scores[best + 1])
            let bend = left - 2 * middle + right
            if bend < 0 { place += 0.5 * (left - right) / bend }
        }
        row.pitch = Float(log2(Self.lowestPitch)) + place / Float(Self.stepsPerOctave)
    }
}
