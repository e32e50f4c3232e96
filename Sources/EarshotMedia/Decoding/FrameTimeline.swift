import CFFmpeg

/// Places decoded frames on the asset's timeline: by counting samples, and by the container's timestamps only where those
/// show that sound is missing.
///
/// Timestamps are wrong in many files. Matroska rounds them to milliseconds, FFmpeg misjudges those of Vorbis for one packet
/// where its windows change (10 to 46 ms), and pages of some Ogg writers state a position 25 ms late, which the next page
/// takes back. So a jump counts only if later timestamps confirm it; until then the frames wait.
///
/// All places are in frames of the source, from the asset's time zero.
struct FrameTimeline {
    /// The properties of a decoded frame on which its place depends.
    struct Frame {
        /// The container's timestamp; `earshot_no_timestamp` if there is none.
        var timestamp: Int64
        /// The number of samples of each channel.
        var count: Int32
        /// The sample rate in hertz.
        var sampleRate: Int32
        /// The byte position of the packet in the file; -1 if it is unknown.
        var bytePosition: Int64
    }

    /// The place of a frame.
    struct Placement: Equatable {
        /// Its first sample.
        var start: Int64
        /// `true` if it begins where the frame before it ends. If not, it is the first one, or lies behind a gap.
        var isContinuous: Bool
    }

    /// Beyond this many hours a forward jump is damage, not a gap.
    private static let longestGapHours: Int64 = 24

    private let timeBase: AVRational
    /// The timestamp that is time zero.
    private var zero: Int64
    private(set) var sampleRate: Int32
    /// The end of the last placed frame; `nil` before the first one.
    private(set) var next: Int64?
    /// The usual lead of timestamps over the count: clocks run apart, and times are rounded.
    private var usualLead: Int64 = 0
    private var jump: TimestampJump?
    /// The frames from the jump on.
    private var waiting: [Frame] = []
    /// The places that have not been taken yet, the next one last.
    private var placements: [Placement] = []

    /// - Parameters:
    ///   - timeBase: The unit of timestamps, in seconds.
    ///   - zero: The timestamp of time zero.
    ///   - sampleRate: The source's rate in hertz.
    init(timeBase: AVRational, zero: Int64, sampleRate: Int32) {
        self.timeBase = timeBase
        self.zero = zero
        self.sampleRate = sampleRate
    }

    /// `true` if frames wait for timestamps that confirm a jump or take it back.
    var isUndecided: Bool { jump != nil }

    /// Returns the timestamp of a number of whole seconds on the asset's timeline.
    func timestamp(seconds: Int64) -> Int64 {
        zero &+ av_rescale_q(seconds, AVRational(num: 1, den: 1), timeBase)
    }

    /// Returns whether a frame with this timestamp begins no later than that many seconds.
    func landsBefore(seconds: Int64, _ timestamp: Int64) -> Bool {
        timestamp != earshot_no_timestamp && timestamp <= self.timestamp(seconds: seconds)
    }

    /// Takes the next frame. It is placed at once, unless it waits behind a jump.
    mutating func append(_ frame: Frame) {
        if frame.sampleRate != sampleRate {
            finish()
            next = next.map { av_rescale($0, Int64(frame.sampleRate), Int64(sampleRate)) }
            usualLead = 0
            sampleRate = frame.sampleRate
        }
        process([frame])
    }

    /// Places the frames that wait, by what is known so far: no more frames follow.
    mutating func finish() {
        while let jump {
            process(settle(isReal: jump.isLikely(sampleRate: sampleRate, usualLead: usualLead)))
        }
    }

    /// Removes and returns the place of the next frame; `nil` if there is no other, or it waits.
    mutating func nextPlacement() -> Placement? {
        placements.popLast()
    }

    private mutating func process(_ frames: [Frame]) {
        var queue = Array(frames.reversed())
        while let frame = queue.popLast() {
            if jump == nil {
                consider(frame)
            } else if let isReal = verdict(with: frame) {
                // Among the frames that waited for a real jump there may be another one.
                queue += settle(isReal: isReal).reversed()
            }
        }
    }

    /// Places a frame, or lets it wait because its timestamp jumps.
    private mutating func consider(_ frame: Frame) {
        guard let expected = next else {
            return place(frame, at: position(of: frame.timestamp) ?? 0, isContinuous: false)
        }
        guard let lead = lead(of: frame, at: expected) else { return place(frame, at: expected) }
        if abs(lead - usualLead) > leastJump(at: frame) {
            jump = TimestampJump(
                isGap: lead > usualLead && lead <= Int64(sampleRate) * 3_600 * Self.longestGapHours,
                lead: lead,
                frame: frame,
                expected: expected
            )
            waiting = [frame]
            return
        }
        usualLead = lead
        // A clock that runs slower than the samples: a later gap is measured on it as it is then.
        if lead < -tolerance { setZero(frame.timestamp, at: expected) }
        place(frame, at: expected)
    }

    /// Lets a frame wait; returns whether the jump is real once that is certain.
    private mutating func verdict(with frame: Frame) -> Bool? {
        guard let jump, let expected = next else { return false }
        waiting.append(frame)
        let place = expected &+ jump.length
        self.jump?.length += Int64(frame.count)
        if let lead = lead(of: frame, at: place) {
            let ahead = lead - usualLead
            let least = leastJump(at: frame)
            if jump.isGap ? ahead <= least : abs(ahead) <= least { return false }
            self.jump?.note(lead: lead, frame: frame, expected: place, usualLead: usualLead)
        }
        return self.jump?.isCertain(sampleRate: sampleRate, frames: waiting.count) == true ? true : nil
    }

    /// Ends waiting; returns the frames whose places have to be found anew.
    private mutating func settle(isReal: Bool) -> [Frame] {
        guard let jump, let expected = next, let first = waiting.first else { return [] }
        let frames = waiting
        (self.jump, waiting) = (nil, [])
        guard isReal else {
            for frame in frames { place(frame, at: next ?? expected) }
            return []
        }
        usualLead = 0
        if jump.isGap {
            place(first, at: expected &+ jump.lead, isContinuous: false)
        } else {
            // The clock of the file was set anew: go on counting, and measure later gaps on the new clock.
            setZero(jump.timestamp, at: jump.expected)
            place(first, at: expected)
        }
        return Array(frames.dropFirst())
    }

    private mutating func place(_ frame: Frame, at start: Int64, isContinuous: Bool = true) {
        placements.insert(Placement(start: start, isContinuous: isContinuous), at: 0)
        next = start &+ Int64(frame.count)
    }

    private mutating func setZero(_ timestamp: Int64, at place: Int64) {
        zero = timestamp &- av_rescale_q(place, AVRational(num: 1, den: sampleRate), timeBase)
        usualLead = 0
    }

    /// Ten milliseconds in frames: less is rounding.
    private var tolerance: Int64 { Int64(sampleRate) / 100 }

    /// The least jump that can be a gap, in frames: sound goes missing in whole packets. Telephones state times that jump by less
    /// than one, 12 to 18 ms in MP4 files. Packets may be long, as those of PCM are, so that 25 ms always suffice; a millisecond
    /// is rounding.
    private func leastJump(at frame: Frame) -> Int64 {
        max(tolerance, min(Int64(frame.count) - Int64(sampleRate) / 1_000, Int64(sampleRate) / 40))
    }

    /// The lead of a frame's timestamp over a place; `nil` if it has none.
    private func lead(of frame: Frame, at place: Int64) -> Int64? {
        guard frame.timestamp != earshot_no_timestamp else { return nil }
        // So far apart that sums cannot overflow.
        let farthest = Int64.max / 4
        guard let stated = position(of: frame.timestamp) else { return -farthest }
        let (lead, overflow) = stated.subtractingReportingOverflow(place)
        return overflow ? -farthest : min(max(lead, -farthest), farthest)
    }

    private func position(of timestamp: Int64) -> Int64? {
        let (offset, overflow) = timestamp.subtractingReportingOverflow(zero)
        guard timestamp != earshot_no_timestamp, !overflow else { return nil }
        return av_rescale_q(offset, timeBase, AVRational(num: 1, den: sampleRate))
    }
}
