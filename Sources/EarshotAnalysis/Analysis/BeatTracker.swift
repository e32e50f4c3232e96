import Foundation

/// Places beats by dynamic programming: on strong onsets, and about a period apart (D. P. W. Ellis, "Beat tracking by
/// dynamic programming", Journal of New Music Research 36 (1), 2007).
struct BeatTracker: Sendable {
    /// The cost of an interval other than the period: this number times the square of the logarithm of their ratio.
    private static let tightness: Float = 100
    /// From one beat to the next, in values of the envelope.
    let period: Double

    /// The places of the beats in an evened envelope, in values of it.
    func beats(in envelope: [Float]) -> [Int] {
        let count = envelope.count
        let shortest = max(1, Int((period * 0.6).rounded()))
        let longest = max(shortest + 1, Int((period * 1.6).rounded()))
        guard count > longest else { return [] }
        let costs = (shortest...longest).map { interval in
            let ratio = Float(log(Double(interval) / period))
            return Self.tightness * ratio * ratio
        }
        let onsets = Self.smoothed(envelope)
        var scores = onsets
        // Int32 holds the places of 248 days.
        var previous = [Int32](repeating: -1, count: count)
        scores.withUnsafeMutableBufferPointer { scores in
            for place in 0..<count {
                var best: Float = 0
                var from = -1
                for (index, cost) in costs.enumerated() {
                    let candidate = place - shortest - index
                    guard candidate >= 0 else { break }
                    let score = scores[candidate] - cost
                    if score > best { (best, from) = (score, candidate) }
                }
                scores[place] += best
                previous[place] = Int32(truncatingIfNeeded: from)
            }
        }
        // The last beat is the best of the last period.
        var place = count - 1
        for candidate in max(0, count - Int(period.rounded(.up)))..<count where scores[candidate] > scores[place] {
            place = candidate
        }
        var beats: [Int] = []
        while place >= 0 {
            beats.append(place)
            place = Int(previous[place])
        }
        beats.reverse()
        return Self.trimmed(beats, onsets)
    }

    /// An onset a value or two off the beat counts for it too.
    static func smoothed(_ envelope: [Float]) -> [Float] {
        let kernel: [Float] = [0.14, 0.61, 1, 0.61, 0.14]
        return envelope.indices.map { index in
            var sum: Float = 0
            for (offset, weight) in kernel.enumerated() {
                let place = index + offset - 2
                if envelope.indices.contains(place) { sum += weight * envelope[place] }
            }
            return sum
        }
    }

    /// Without the beats before the first and after the last that something is heard on.
    private static func trimmed(_ beats: [Int], _ onsets: [Float]) -> [Int] {
        guard !beats.isEmpty else { return [] }
        let mean = beats.reduce(0) { $0 + onsets[$1] } / Float(beats.count)
        guard let first = beats.firstIndex(where: { onsets[$0] > 0.25 * mean }),
            let last = beats.lastIndex(where: { onsets[$0] > 0.25 * mean })
        else { return [] }
        return Array(beats[first...last])
    }
}
