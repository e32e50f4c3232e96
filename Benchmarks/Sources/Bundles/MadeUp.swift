import BenchmarkSupport
import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation

/// References that are nobody's music, made of pieces of the references of a catalog: each piece is moved along the axis of
/// frequencies, what leaves it at the top coming in at the bottom.
struct MadeUp {
    private let pieces: [Signature]
    private let seconds: Int

    /// - Throws: When the catalog has no reference as long as a piece.
    init(_ catalog: URL, seconds: Int) throws {
        self.seconds = seconds
        let duration = MediaTime(value: Int64(seconds), timescale: 1)
        var pieces: [Signature] = []
        try Catalog(contentsOf: catalog).forEachReference { reference in
            pieces += reference.signature.slices(duration: duration).map(\.signature)
        }
        pieces = pieces.filter { $0.landmarks.count > 20 * seconds }
        guard !pieces.isEmpty else { throw Failure("\(catalog.path) has no reference of \(seconds) s: name another.") }
        self.pieces = pieces
    }

    /// The reference of a number. Round after round of the pieces is moved by another step, from 64 steps of frequency on,
    /// which is beyond the pitch that is looked for.
    func reference(_ number: Int) -> Signature {
        let piece = pieces[number % pieces.count]
        let top = Int(Landmark.frequencyCount)
        let shift = (1 + number / pieces.count) * 101 % top
        let landmarks = piece.landmarks.map {
            Landmark(time: $0.time, frequency: UInt16((Int($0.frequency) + shift) % top), tier: $0.tier)
        }
        return Signature(configuration: .standard, duration: piece.duration, landmarks: landmarks.sorted())
    }

    /// What is left of a piece of a reference when a share of its landmarks is lost and as many others come in.
    static func query(
        _ reference: Signature,
        from start: Double,
        seconds: Double,
        lost: Double,
        _ random: inout SeededGenerator
    ) -> Signature {
        let slice = reference.slice(from: MediaTime(seconds: start), duration: MediaTime(seconds: seconds)).signature
        let landmarks = slice.landmarks.map { landmark in
            guard random.unit() < lost else { return landmark }
            return Landmark(
                time: UInt32(random.integer(in: 0..<Int(seconds * Double(Landmark.stepsPerSecond)))),
                frequency: UInt16(random.integer(in: 0..<Int(Landmark.frequencyCount))),
                tier: landmark.tier
            )
        }
        return Signature(configuration: .standard, duration: slice.duration, landmarks: landmarks.sorted())
    }
}
