import EarshotCore
import EarshotSignatures
import EarshotStations
import Foundation
import TestSupport

/// Channels whose broadcasts are known to the step.
enum LiveSamples {
    /// When all channels begin.
    static let start = Date(timeIntervalSince1970: 1_777_658_400)

    static func seconds(_ count: Double) -> MediaTime { MediaTime(seconds: count, preferredTimescale: 1_000) }

    static func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    /// The pieces of a signature, of some seconds each, broadcast from an instant on.
    static func pieces(_ signature: Signature, of length: Int = 4, from begin: Double = 0) throws -> [LiveChunk] {
        let count = Int(signature.duration.seconds) / length
        return try (0..<count).map { index in
            try LiveChunk(
                sequence: UInt64(index),
                start: date(begin + Double(index * length)),
                signature: signature.slice(
                    from: MediaTime(value: Int64(index * length), timescale: 1),
                    duration: MediaTime(value: Int64(length), timescale: 1)
                ).signature
            )
        }
    }

    /// Some seconds of a signature.
    static func query(_ signature: Signature, from begin: Double, seconds length: Double) -> Signature {
        signature.slice(from: seconds(begin), duration: seconds(length)).signature
    }

    /// A folder that is not there yet.
    static func folder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("earshot-live-\(UUID().uuidString)")
    }
}
