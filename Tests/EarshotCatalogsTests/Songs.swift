import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport

/// Pieces of made-up music and their signatures, made once for all suites.
enum Songs {
    static let pieces = (0..<3).map { SyntheticMusic(seed: 100 + UInt64($0), duration: 20) }
    static let signatures = Result { try pieces.map { try $0.signature() } }
    static let ids: [ReferenceID] = ["first", "second", "third"]

    /// A catalog of the three pieces, each with its title.
    static let catalog = Result {
        var catalog = Catalog()
        for (id, signature) in zip(ids, try signatures.get()) {
            try catalog.add(signature, representing: [MediaItem(properties: [.title: .string("\(id)")])], id: id)
        }
        return catalog
    }

    /// Five seconds of the second piece, from its seventh second on.
    static let clean = Result { try pieces[1].signature(from: 7, seconds: 5) }

    /// Landmarks drawn at random, in place of music where nothing hangs on the sound.
    static func drawn(_ seed: UInt64, seconds: Int = 12) -> Signature { .random(seed: seed, seconds: seconds) }

    /// A part of a signature.
    static func part(of signature: Signature, from start: Double, seconds: Double) -> Signature {
        signature.slice(from: MediaTime(seconds: start), duration: MediaTime(seconds: seconds)).signature
    }

    /// Signatures one behind the other.
    static func joined(_ parts: [Signature]) -> Signature {
        var landmarks: [Landmark] = []
        var duration = MediaTime.zero
        for part in parts {
            let shift = UInt32(duration.converted(toTimescale: 500).value)
            landmarks += part.landmarks.map { Landmark(time: $0.time + shift, frequency: $0.frequency, tier: $0.tier) }
            duration += part.duration
        }
        return Signature(configuration: .standard, duration: duration, landmarks: landmarks.sorted())
    }
}

/// Keys that an app would declare.
extension MediaItemKey {
    static let teacher: MediaItemKey = "teacher"
    static let episode: MediaItemKey = "episode"
}
