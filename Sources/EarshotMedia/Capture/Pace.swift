import EarshotCore

/// Computes the time at which the audio of a source would be heard.
struct Pace {
    private let speed: Double?
    private var start: MediaTime?
    private var origin: MediaTime?

    /// - Parameter speed: The speed relative to real time; `nil` for no pacing.
    init(speed: Double?) {
        self.speed = speed
    }

    /// Somebody begins to listen, unless that was so before.
    mutating func begin(at now: MediaTime) {
        if start == nil { start = now }
    }

    /// The clock's time at which the whole block would have been heard.
    mutating func moment(of block: AudioBlock) -> MediaTime? {
        guard let speed, let start else { return nil }
        let origin = origin ?? block.time
        self.origin = origin
        let heard = (block.endTime - origin).converted(toTimescale: 1_000_000_000)
        return start + (speed == 1 ? heard : heard.scaled(byFraction: 1 / speed))
    }
}
