import EarshotCore
import EarshotSignatures

/// An interval of a channel's timeline, in the form in which it is indexed.
struct TimelinePart: Hashable, Sendable {
    /// The first step, in steps of 2 ms since 1970.
    var begin: Int64
    /// The signature of the broadcast.
    var signature: Signature

    /// The step after the last one.
    var end: Int64 { begin + LiveTime.steps(signature.duration) }
}

/// Joins the chunks of a channel and cuts them into overlapping parts.
///
/// Only audio after the known end counts, so a chunk that arrives twice or late has no effect. A pure value without a
/// clock.
struct ChannelTimeline: Sendable {
    /// The outcome of appending a chunk.
    enum Outcome: Hashable, Sendable { case taken, trimmed, known }

    /// The length of a part without its overlap, and the length of the overlap, in steps. The overlap is the longest
    /// query, so that every query lies in one part as a whole.
    let length: Int64
    let overlap: Int64
    /// The part that is growing, in steps since 1970; empty before the first chunk.
    private(set) var begin: Int64 = 0
    private(set) var end: Int64 = 0
    /// The landmarks of the growing part, with times from its start.
    private(set) var landmarks: [Landmark] = []

    init(length: Int64, overlap: Int64) {
        self.length = max(1, length)
        self.overlap = max(0, overlap)
    }

    /// The growing part; `nil` while it has no landmarks.
    var open: TimelinePart? { landmarks.isEmpty ? nil : part }

    private var part: TimelinePart {
        TimelinePart(
            begin: begin,
            signature: Signature(configuration: .standard, duration: LiveTime.time(end - begin), landmarks: landmarks)
        )
    }

    /// Continues after a step up to which the channel is stored elsewhere.
    mutating func resume(behind step: Int64) {
        guard step > end else { return }
        (begin, end, landmarks) = (step, step, [])
    }

    /// Appends a chunk.
    ///
    /// - Returns: The outcome, and the parts that the chunk completes.
    mutating func append(_ signature: Signature, at start: Int64) -> (outcome: Outcome, closed: [TimelinePart]) {
        let stop = start + LiveTime.steps(signature.duration)
        guard stop > max(start, end) else { return (.known, []) }
        let first = max(start, end)
        var closed: [TimelinePart] = []
        // After a pause longer than a query no overlap is needed.
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
