import Earshot
import EarshotSignatures
import Foundation

/// How often each pair of neighbouring landmarks occurs, in cells of four bins, one bin and one frame.
///
/// A yardstick of its own that stays as it is when the engine's index changes: real and made-up references are held
/// against each other by it.
struct PairCensus {
    /// Figures of a census.
    struct Figures: Codable {
        var hours: Double
        var landmarksPerSecond: Double
        var pairsPerHour: Double
        var distinct: Int
        /// Occurrences of a kind of pair: in the median, 99 % below, the most.
        var median: Double
        var p99: Double
        var most: Int
        /// Occurrences that a pair drawn from the same references meets, on average, an hour.
        var ownMeetingsPerHour: Double
    }

    private(set) var counts = [UInt32](repeating: 0, count: 1 << 19)
    private(set) var pairs = 0
    private(set) var seconds = 0.0
    private(set) var landmarks = 0

    mutating func add(_ signature: Signature) {
        seconds += signature.duration.seconds
        landmarks += signature.landmarks.count
        Self.forEachPair(in: signature) { key in
            counts[key] += 1
            pairs += 1
        }
    }

    /// Occurrences, an hour of these references, of the pairs of a query, on average over them.
    func meetings(of query: Signature) -> Double {
        var (sum, count) = (0.0, 0.0)
        Self.forEachPair(in: query) { key in
            sum += Double(counts[key])
            count += 1
        }
        return count > 0 ? sum / count / (seconds / 3600) : 0
    }

    var figures: Figures {
        let lists = counts.filter { $0 > 0 }.map(Double.init).sorted()
        let hours = seconds / 3600
        return Figures(
            hours: hours,
            landmarksPerSecond: Double(landmarks) / max(seconds, 1),
            pairsPerHour: Double(pairs) / max(hours, 1e-9),
            distinct: lists.count,
            median: lists.isEmpty ? 0 : lists[lists.count / 2],
            p99: lists.isEmpty ? 0 : lists[lists.count * 99 / 100],
            most: Int(lists.last ?? 0),
            ownMeetingsPerHour: lists.reduce(0) { $0 + $1 * $1 } / Double(max(pairs, 1)) / max(hours, 1e-9)
        )
    }

    private static func forEachPair(in signature: Signature, _ body: (Int) -> Void) {
        let landmarks = signature.landmarks
        for first in landmarks.indices {
            let anchor = landmarks[first]
            var (found, second) = (0, first + 1)
            while second < landmarks.count, found < 5 {
                let target = landmarks[second]
                second += 1
                let delay = (Int(target.time) - Int(anchor.time) + 4) / 8
                if delay < 2 { continue }
                if delay > 63 { break }
                let rise = (Int(target.frequency) - Int(anchor.frequency) + 1024 + 4) / 8 - 64
                guard rise > 0, rise < 128 else { continue }
                found += 1
                body((Int(anchor.frequency) / 32) << 13 | rise << 6 | delay)
            }
        }
    }
}
