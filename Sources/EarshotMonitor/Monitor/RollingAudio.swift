import EarshotCore

/// The last seconds of a stream, in pieces.
struct RollingAudio: Sendable {
    /// The duration that is kept, in seconds.
    let limit: Double
    private(set) var pieces: [AudioBuffer] = []
    private(set) var seconds = 0.0

    init(limit: Double) { self.limit = limit }

    mutating func append(_ piece: AudioBuffer) {
        if let last = pieces.last, last.format != piece.format { reset() }
        pieces.append(piece)
        seconds += piece.duration.seconds
        // Half as much again, so that not every piece moves all that is kept.
        guard seconds > limit * 1.5 else { return }
        var dropped = 0
        while let first = pieces.dropFirst(dropped).first, seconds - first.duration.seconds >= limit {
            seconds -= first.duration.seconds
            dropped += 1
        }
        pieces.removeFirst(dropped)
    }

    /// Forgets all, where the stream breaks off.
    mutating func reset() { (pieces, seconds) = ([], 0) }

    /// The last pieces that make up a duration, at most.
    func last(_ duration: Double) -> ArraySlice<AudioBuffer> {
        var sum = 0.0
        var first = pieces.endIndex
        // A tenth of a piece is let pass, for rates at which pieces are a little shorter.
        while first > 0, sum + pieces[first - 1].duration.seconds <= duration + 0.01 {
            first -= 1
            sum += pieces[first].duration.seconds
        }
        return pieces[first...]
    }
}
