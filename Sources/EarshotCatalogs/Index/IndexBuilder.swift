import EarshotCore
import EarshotSignatures

/// Builds the index of a set of references: for each key the frames, on a common timeline, at which it occurs.
///
/// The references lie one after another on the timeline. Two passes over the landmarks, the first to count and the second
/// to place, keep the memory at four bytes a posting.
struct IndexBuilder {
    /// Neighbours that each landmark of a reference is paired with.
    static let fanOut = 5

    /// Postings are counted and placed with 32 bits.
    private static let maximumPostings = Int(UInt32.max)

    private static let tooLarge = EarshotError(
        .catalogInvalid,
        "The index would exceed 4 GiB, at some thousand hours of music: split the references into several catalogs."
    )

    /// Distinct keys, ascending.
    private(set) var keys: [UInt32] = []
    /// Where each key's postings begin in ``postings``, and the end of the last.
    private(set) var offsets: [UInt32] = []
    /// For each key its ascending frames: the first, then the differences, in groups of seven bits.
    private(set) var postings: [UInt8] = []
    /// Postings in all.
    private(set) var postingCount = 0

    /// - Parameter references: Landmarks of each reference and its first frame on the timeline, ascending.
    /// - Throws: `catalogInvalid` when the postings exceed 4 GiB.
    init(_ references: [(landmarks: [Landmark], firstFrame: Int)]) throws(EarshotError) {
        var starts = [UInt32](repeating: 0, count: 1 << PairKey.bits + 1)
        for reference in references {
            Self.forEachPosting(reference) { key, _ in starts[Int(key) + 1] += 1 }
        }
        guard starts.reduce(0, { $0 + Int($1) }) <= Self.maximumPostings else { throw Self.tooLarge }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        postingCount = Int(starts[starts.count - 1])
        var frames = [UInt32](repeating: 0, count: postingCount)
        var next = starts
        for reference in references {
            Self.forEachPosting(reference) { key, frame in
                frames[Int(next[Int(key)])] = frame
                next[Int(key)] += 1
            }
        }
        try pack(frames, starts: starts)
    }

    private static func forEachPosting(
        _ reference: (landmarks: [Landmark], firstFrame: Int),
        _ body: (UInt32, UInt32) -> Void
    ) {
        PairKey.forEachPair(in: reference.landmarks, fanOut: fanOut) { anchor, target in
            let rise = Int(target.frequency) - Int(anchor.frequency)
            let delay = Int(target.time) - Int(anchor.time)
            guard
                let key = PairKey.key(
                    frequency: Int(anchor.frequency) / PairKey.frequencyCell,
                    rise: PairKey.quantise(rise, steps: Landmark.stepsPerBin).cell,
                    delay: PairKey.quantise(delay, steps: Landmark.stepsPerFrame).cell
                )
            else { return }
            body(key, UInt32(reference.firstFrame + Int(anchor.time) / Landmark.stepsPerFrame))
        }
    }

    private mutating func pack(_ frames: [UInt32], starts: [UInt32]) throws(EarshotError) {
        var writer = ByteWriter(reservingCapacity: frames.count * 3)
        for key in 0..<starts.count - 1 where starts[key] < starts[key + 1] {
            keys.append(UInt32(key))
            offsets.append(UInt32(writer.bytes.count))
            var before: UInt32 = 0
            for index in Int(starts[key])..<Int(starts[key + 1]) {
                writer.writeVariable(UInt64(frames[index] - before))
                before = frames[index]
            }
            guard writer.bytes.count < Int(UInt32.max) else { throw Self.tooLarge }
        }
        offsets.append(UInt32(writer.bytes.count))
        postings = writer.bytes
    }
}
