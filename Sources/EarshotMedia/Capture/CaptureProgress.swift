import EarshotCore

/// The story of one live source: puts the blocks of its connections on one timeline, and says what there is to tell.
struct CaptureProgress {
    /// The kind of source: a device reports outages by other names than a stream, and a gap is an overload.
    enum Kind: Sendable {
        case device, stream
    }

    private enum Outage {
        case none, stalled, lost
    }

    let kind: Kind
    /// The position of the next frame on the source's timeline.
    private(set) var end: MediaTime = .zero
    /// The time of the connection's own zero; absent before its first block.
    private var base: MediaTime?
    private var hasStarted = false
    private var hasSound = false
    private var hasEnded = false
    private var outage = Outage.none
    /// The time of the last block, by the clock.
    private var quietSince: MediaTime
    /// The time of the connection's first block, by the clock.
    private var soundSince: MediaTime?
    /// The time, by the clock, from which on a reader has waited for the connection to give something; `nil` if none
    /// waits.
    private var waitingSince: MediaTime?

    init(kind: Kind, now: MediaTime) {
        self.kind = kind
        quietSince = now
    }

    /// A connection is open.
    mutating func opened(_ format: AudioFormat, at now: MediaTime) -> [CaptureEvent] {
        soundSince = nil
        waitingSince = nil
        guard !hasStarted else { return [] }
        hasStarted = true
        quietSince = now
        return [.started(format)]
    }

    /// A connection has given a block, with its time on its own timeline.
    mutating func received(_ block: AudioBlock, at now: MediaTime) -> (block: AudioBlock, events: [CaptureEvent]) {
        var events: [CaptureEvent] = []
        let rate = block.buffer.sampleRate
        if base == nil {
            let lost = hasSound ? max(now - quietSince, .zero) : .zero
            base = (end + lost).converted(toTimescale: Int32(clamping: rate)) - block.time
            soundSince = now
        } else if outage == .none, kind == .device {
            let lead = block.time + (base ?? .zero) - end
            if lead > .zero { events.append(.overload(lost: lead)) }
        }
        switch outage {
        case .none: break
        case .stalled: events.append(.resumed)
        case .lost: events.append(kind == .device ? .deviceBack : .resumed)
        }
        outage = .none
        hasSound = true
        waitingSince = nil
        let placed = AudioBlock(block.buffer, at: block.time + (base ?? .zero))
        end = placed.endTime
        quietSince = now
        return (placed, events)
    }

    /// The reader waits for the connection from now on.
    mutating func waits(since now: MediaTime) {
        waitingSince = now
        // What a slow reader held up before is not lost. A new connection leaves the moment of the loss alone.
        if base != nil { quietSince = now }
    }

    /// The connection has given nothing for a while.
    mutating func stalled() -> [CaptureEvent] {
        waitingSince = nil
        // Of a connection that was made anew and never spoke, the outage has been told.
        guard outage == .none, hasStarted else { return [] }
        outage = .stalled
        return [.interrupted(.stalled)]
    }

    /// The connection is gone.
    ///
    /// - Parameter isFailure: `true` if it failed, as against ended.
    mutating func lost(isFailure: Bool) -> [CaptureEvent] {
        waitingSince = nil
        base = nil
        let before = outage
        outage = .lost
        switch kind {
        case .device: return before == .lost ? [] : [.deviceLost]
        // A stalled stream was told already: it is the same outage.
        case .stream: return before == .none ? [.interrupted(isFailure ? .failed : .closed)] : []
        }
    }

    /// There will be nothing more.
    mutating func ended() -> [CaptureEvent] {
        guard !hasEnded else { return [] }
        hasEnded = true
        return [.ended]
    }

    /// The duration for which the connection has delivered audio.
    func lasted(at now: MediaTime) -> MediaTime? {
        soundSince.map { now - $0 }
    }

    /// The time at which the connection counts as stalled if nothing arrives; `nil` if no reader waits.
    func stallsAt(after patience: MediaTime) -> MediaTime? {
        waitingSince.map { $0 + patience }
    }
}
