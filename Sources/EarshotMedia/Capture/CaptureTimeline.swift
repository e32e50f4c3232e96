/// Counts captured frames and tells, from the moments at which they were recorded and at which they arrived, where some
/// are missing.
///
/// The device's own clock runs a little fast or slow against the computer's, the moments waver, and the computer's time of
/// day may be set. So sound counts as lost only when both moments lie well behind the count, and stay there.
struct CaptureTimeline {
    /// Less than this, in microseconds, is not told from wavering.
    static let tolerance = 100_000.0
    /// Packets in a row that have to agree about a gap, and by how much they may differ in microseconds.
    private static let agreement = 4
    private static let wavering = 10_000.0
    /// Packets at the begin by which the moments settle.
    private static let settling = 20

    private let sampleRate: Double
    private var packets = 0
    /// Frames counted and lost so far, in microseconds.
    private var position = 0.0
    private var recorded = Track()
    private var arrived = Track()
    private var leads: [Double] = []

    /// One kind of moments against the count.
    private struct Track {
        private var origin: Int64?
        private var drift = 0.0

        /// Returns the lag of a moment behind the count, apart from the drift so far.
        mutating func lead(_ moment: Int64, position: Double) -> Double {
            let origin = origin ?? moment
            self.origin = origin
            return Double(moment &- origin) - position - drift
        }

        mutating func follow(_ lead: Double, share: Double) {
            drift += lead * share
        }
    }

    init(sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
    }

    /// Takes in a packet.
    ///
    /// - Parameters:
    ///   - recorded: The time at which its first frame was recorded, in microseconds of the wall clock, if known.
    ///   - arrived: The time at which it arrived, in microseconds of a monotonic clock.
    ///   - frames: The number of frames.
    /// - Returns: The missing duration before it, in microseconds.
    mutating func place(recorded stamp: Int64?, arrived moment: Int64, frames: Int) -> Int64 {
        defer {
            position += Double(frames) / sampleRate * 1_000_000
            packets += 1
        }
        let arrivedLead = arrived.lead(moment, position: position)
        let recordedLead = stamp.map { recorded.lead($0, position: position) }
        let lead = min(arrivedLead, recordedLead ?? arrivedLead)
        guard lead > Self.tolerance, packets >= Self.settling else {
            leads = []
            let share = packets < Self.settling ? 0.25 : 1.0 / 32
            arrived.follow(arrivedLead, share: share)
            if let recordedLead { recorded.follow(recordedLead, share: share) }
            return 0
        }
        leads = leads.suffix(Self.agreement - 1) + [lead]
        guard leads.count == Self.agreement, let least = leads.min(), let most = leads.max(),
            most - least <= Self.wavering
        else { return 0 }
        leads = []
        position += lead
        return Int64(lead)
    }
}
