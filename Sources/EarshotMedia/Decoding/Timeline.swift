import CFFmpeg

/// Gives each decoded frame its place: by counting samples, and by the file's timestamps only where its packets show that
/// some are missing.
///
/// Timestamps of many containers are rounded (Matroska: to milliseconds), and FFmpeg miscounts those of Vorbis where its
/// windows change, so following them would shift samples to and fro. All places are in frames of the source, from the asset's
/// time zero.
struct Timeline {
    /// What a decoded frame is to the one before it.
    enum Step: Equatable {
        case continued
        /// It lies elsewhere: at the very start, after seeking, or behind a gap.
        case moved
    }

    /// Beyond this many hours a forward jump is damage, not a gap.
    private static let longestGapHours: Int64 = 24

    private let timeBase: AVRational
    private let swing: Int64
    /// The timestamp that is time zero.
    private var zero: Int64
    private(set) var sampleRate: Int32
    /// Where the next frame should be; absent before the first, and after seeking.
    private(set) var next: Int64?

    /// - Parameters:
    ///   - timeBase: The unit of timestamps, in seconds.
    ///   - zero: The timestamp of time zero.
    ///   - sampleRate: The source's rate in hertz.
    ///   - swing: By how many frames timestamps are wrong without meaning anything.
    init(timeBase: AVRational, zero: Int64, sampleRate: Int32, swing: Int64) {
        self.timeBase = timeBase
        self.swing = swing
        self.zero = zero
        self.sampleRate = sampleRate
    }

    /// Forgets the place; the next timestamp tells it.
    mutating func restart() {
        next = nil
    }

    /// The timestamp of a number of whole seconds on the asset's timeline.
    func timestamp(seconds: Int64) -> Int64 {
        zero &+ av_rescale_q(seconds, AVRational(num: 1, den: 1), timeBase)
    }

    /// Whether a frame with this timestamp begins no later than that many seconds.
    func landsBefore(seconds: Int64, _ timestamp: Int64) -> Bool {
        timestamp != earshot_no_timestamp && timestamp <= self.timestamp(seconds: seconds)
    }

    /// Places a run of `count` frames; ``start`` is then where it begins.
    ///
    /// - Parameters:
    ///   - timestamp: The frame's, or none.
    ///   - count: Its frames.
    ///   - sampleRate: Its rate in hertz.
    ///   - gap: How far its packet lies behind the end of the last good one, in units of timestamps, where both are known.
    mutating func place(timestamp: Int64, count: Int32, sampleRate: Int32, gap: Int64?) -> Step {
        if sampleRate != self.sampleRate {
            next = next.map { av_rescale($0, Int64(sampleRate), Int64(self.sampleRate)) }
            self.sampleRate = sampleRate
        }
        let stated = timestamp == earshot_no_timestamp ? nil : position(of: timestamp)
        guard let expected = next else {
            start = stated ?? 0
            next = start &+ Int64(count)
            return .moved
        }
        start = expected
        if let stated {
            let target = target(stated: stated, expected: expected, gap: gap)
            let (lead, overflow) = target.subtractingReportingOverflow(expected)
            let longest = Int64(sampleRate) * 3600 * Self.longestGapHours
            if overflow || lead < -tolerance || lead > longest {
                // The clock of the file was set anew: go on counting, and measure later gaps on the new clock.
                zero = timestamp &- av_rescale_q(expected, AVRational(num: 1, den: sampleRate), timeBase)
            } else if lead > 0 {
                start = target
            }
        }
        next = start &+ Int64(count)
        return start == expected ? .continued : .moved
    }

    /// Ten milliseconds in frames, and what means nothing.
    private var tolerance: Int64 { Int64(sampleRate) / 100 + swing }

    /// Where a run should begin: at `expected` unless it certainly lies elsewhere.
    private func target(stated: Int64, expected: Int64, gap: Int64?) -> Int64 {
        let (lead, overflow) = stated.subtractingReportingOverflow(expected)
        if overflow || lead < -tolerance { return stated }
        guard let gap else { return lead > tolerance ? stated : expected }
        let missing = av_rescale_q(gap, timeBase, AVRational(num: 1, den: sampleRate))
        return missing > tolerance ? max(stated, expected) : expected
    }

    /// Where the run placed last begins.
    private(set) var start: Int64 = 0

    private func position(of timestamp: Int64) -> Int64? {
        let (offset, overflow) = timestamp.subtractingReportingOverflow(zero)
        return overflow ? nil : av_rescale_q(offset, timeBase, AVRational(num: 1, den: sampleRate))
    }
}
