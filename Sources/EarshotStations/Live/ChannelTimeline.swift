import EarshotCore
import EarshotSignatures

/// A stretch of a channel's timeline, as it is put into an index.
struct TimelinePart: Hashable, Sendable {
    /// The first step, since 1970.
    var begin: Int64
    /// The signature of the broadcast.
    var signature: Signature

    /// The step behind the last.
    var end: Int64 { begin + LiveTime.steps(signature.duration) }
}

/// Joins the pieces of a channel and cuts them into parts that overlap.
///
/// Only what lies behind all that is known counts, so a piece that comes twice, or late, changes nothing. A pure value
/// without a clock.
struct ChannelTimeline: Sendable {
    /// What became of a piece.
    enum Outcome: Hashable, Sendable { case taken, trimmed, known }

    /// Steps of a part without its overlap, and of the overlap: the length of the longest query, so that every query lies
    /// in one part as a whole.
    let length: Int64
    let overlap: Int64
    /// The part that still grows, in steps since 1970; empty before the first piece.
    private(set) var begin: Int64 = 0
    private(set) var end: Int64 = 0
    /// Its landmarks, from its begin on.
    private(set) var landmarks: [Landmark] = []

    init(length: Int64, overlap: Int64) {
        self.length = max(1, length)
        self.overlap = max(0, overlap)
    }

    /// The part that still grows; `nil` while it is silent.
    var open: TimelinePart? { landmarks.isEmpty ? nil : part }

    private var part: TimelinePart {
        TimelinePart(
            begin: begin,
            signature: Signature(configuration: .standard, duration: LiveTime.time(end - begin), landmarks: landmarks)
        )
    }

    /// Goes on behind what is kept elsewhere already.
    mutating func resume(behind step: Int64) {
        guard step > end else { return }
        (begin, end, landmarks) = (step, step, [])
    }

    /// Takes a piece.
    ///
    /// - Returns: Parts that are complete with it.
    mutating func append(_ signature: Signature, at start: Int64) -> (outcome: Outcome, closed: [TimelinePart]) {
        let stop = start + LiveTime.steps(signature.duration)
        guard stop > max(start, end) else { return (.known, []) }
        let first = max(start, end)
        var closed: [TimelinePart] = []
        // Behind a pause longer than a query nothing has to overlap.
        if end == 0 || first - end > overlap {
            if let open { closed.append(open) }
            (begin, landmarks) = (first, [])
        }
        for landmark in signature.landmarks {
            let place = start + Int64(landmark.time)
            guard place >= first, place < stop else { continue }
            landmarks.append(
                Landmark(time: UInt32(place - begin), frequency: landmark.frequency, tier: landmark.tier)
            )
        }
        end = stop
        if end - begin >= length + overlap {
            if let open { closed.append(open) }
            let next = end - overlap
            let shift = UInt32(next - begin)
            landmarks = landmarks.compactMap { landmark in
                guard landmark.time >= shift else { return nil }
                return Landmark(time: landmark.time - shift, frequency: landmark.frequency, tier: landmark.tier)
            }
            begin = next
        }
        return (first == start ? .taken : .trimmed, closed)
    }
}
