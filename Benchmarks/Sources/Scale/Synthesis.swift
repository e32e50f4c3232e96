import EarshotDSP
import BenchmarkSupport
import Earshot
import EarshotSignatures

/// Makes references that are nobody's music out of the signatures of real music.
///
/// Each made-up reference draws two or three real ones, one for each band of the frequency axis, and plays random pieces
/// of them, 5 to 20 s long, backwards and 8 to 14 bins higher or lower. What is near in time and frequency so stays as
/// it is in music, as does repetition within a track, while no forward recording of the real one can fit: the shift lies
/// beyond the pitch that is looked for. Dense bits come from the same pieces: backwards a rise is a fall, and 8 to 14 bins are
/// about one band.
struct Synthesis: Sendable {
    /// A made-up reference lasts four minutes.
    static let seconds = 240

    private let sources: [[Landmark]]
    /// The rows of each source's dense bits; none of a catalog without them.
    private let bits: [[UInt32]]
    private let durations: [Int]
    private let seed: UInt64

    /// - Parameter signatures: Of real music, as catalogs keep it.
    init(_ signatures: [Signature], seed: UInt64) {
        let long = signatures.filter { $0.duration.seconds >= 30 && !$0.isEmpty }
        sources = long.map(\.landmarks)
        bits = long.map { $0.bits?.rows ?? [] }
        durations = long.map { Int($0.duration.seconds * Double(Landmark.stepsPerSecond)) }
        self.seed = seed
    }

    var canMake: Bool { !sources.isEmpty }

    /// The made-up reference of a number; the same number and seed give the same one.
    func reference(_ number: Int) -> Signature {
        var random = SeededGenerator(seed: seed, name: "reference \(number)")
        let whole = Self.seconds * Landmark.stepsPerSecond
        var landmarks: [Landmark] = []
        landmarks.reserveCapacity(Self.seconds * 50)
        var rows = [UInt32](repeating: 0, count: whole / Self.stepsPerRow)
        for band in bands(&random) {
            let source = random.integer(in: 0..<sources.count)
            let shift = (random.integer(in: 0..<2) * 2 - 1) * random.integer(in: 64..<113)
            var place = 0
            while place < whole {
                let length = min(
                    random.integer(in: 5 * Landmark.stepsPerSecond..<20 * Landmark.stepsPerSecond),
                    whole - place
                )
                let start = random.integer(in: 0..<max(1, durations[source] - length))
                append(sources[source], from: start, length: length, to: place, band: band, shift: shift, &landmarks)
                append(bits[source], from: start, length: length, to: place, band: band, shift: shift, &rows)
                place += length
            }
        }
        landmarks.sort()
        return Signature(
            configuration: .standard,
            duration: MediaTime(value: Int64(Self.seconds), timescale: 1),
            landmarks: limited(landmarks),
            bits: bits.allSatisfy(\.isEmpty) ? nil : DenseBits(rows: rows)
        )
    }

    /// Two or three bands that cover the axis.
    private func bands(_ random: inout SeededGenerator) -> [Range<Int>] {
        let top = FrequencyAxis.binCount * Landmark.stepsPerBin
        if random.integer(in: 0..<2) == 0 {
            let edge = random.integer(in: top * 3 / 8..<top * 5 / 8)
            return [0..<edge, edge..<top]
        }
        let first = random.integer(in: top / 4..<top * 5 / 12)
        let second = random.integer(in: top * 7 / 12..<top * 3 / 4)
        return [0..<first, first..<second, second..<top]
    }

    private func append(
        _ source: [Landmark],
        from start: Int,
        length: Int,
        to place: Int,
        band: Range<Int>,
        shift: Int,
        _ landmarks: inout [Landmark]
    ) {
        let first = source.partitioningIndex { Int($0.time) >= start }
        // What is shifted beyond an edge of the band comes in at the other one.
        for landmark in source[first...] {
            let time = Int(landmark.time) - start
            guard time < length else { break }
            let frequency = Int(landmark.frequency)
            guard band.contains(frequency) else { continue }
            let turned = (frequency - band.lowerBound + shift + band.count) % band.count + band.lowerBound
            landmarks.append(
                Landmark(time: UInt32(place + length - 1 - time), frequency: UInt16(turned), tier: landmark.tier)
            )
        }
    }

    private static let stepsPerRow = DenseBits.framesPerRow * Landmark.stepsPerFrame

    private func append(
        _ source: [UInt32],
        from start: Int,
        length: Int,
        to place: Int,
        band: Range<Int>,
        shift: Int,
        _ rows: inout [UInt32]
    ) {
        // The bits of a band: each is between two neighboring bands of ten bins.
        let low = band.lowerBound * DenseBits.bitCount / (FrequencyAxis.binCount * Landmark.stepsPerBin)
        let high = band.upperBound * DenseBits.bitCount / (FrequencyAxis.binCount * Landmark.stepsPerBin)
        let count = high - low
        let mask: UInt32 = (1 << UInt32(count) - 1) << UInt32(low)
        let end = min(rows.count, (place + length) / Self.stepsPerRow)
        for row in place / Self.stepsPerRow..<max(place / Self.stepsPerRow, end) {
            let from = (start + place + length - 1) / Self.stepsPerRow - row
            guard source.indices.contains(from) else { continue }
            let bits = (~source[from] & mask) >> UInt32(low)
            let turned = shift > 0 ? bits << 1 | bits >> UInt32(count - 1) : bits >> 1 | bits << UInt32(count - 1)
            rows[row] |= turned << UInt32(low) & mask
        }
    }

    /// At most 255 landmarks in 64 frames, as the format wants it.
    private func limited(_ landmarks: [Landmark]) -> [Landmark] {
        var kept: [Landmark] = []
        kept.reserveCapacity(landmarks.count)
        var (block, count) = (UInt32(0), 0)
        for landmark in landmarks {
            if landmark.time / 512 != block { (block, count) = (landmark.time / 512, 0) }
            count += 1
            if count <= 255 { kept.append(landmark) }
        }
        return kept
    }
}
