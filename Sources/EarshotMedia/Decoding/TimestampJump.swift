/// A jump of the container's timestamps against the count of samples, until it is known to be real.
///
/// The largest errors of timestamps found in files: 46 ms for one packet (Vorbis windows of 64 and 8,192 samples), and 35 ms
/// for a whole page and the packet that continues on it (Vorbis written by libavformat 55).
struct TimestampJump {
    /// Timestamps of so many other byte positions have to confirm a jump: packets of one position share a timestamp, and
    /// that of an Ogg page also applies to a packet that began on the page before.
    private static let neededUnits = 2
    /// So many milliseconds of sound have to lie behind it, in which live timestamps that waver come back.
    private static let confirmation: Int64 = 500
    /// The seconds after which nothing more is waited for; `mostFrames` is the limit in frames. Both bound the memory.
    private static let longestWait: Int64 = 10
    private static let mostFrames = 1_024
    /// At the end of a stream an unconfirmed jump of at most so many milliseconds is an error of the timestamps.
    private static let largestError: Int64 = 50

    /// `true` if sound is missing; otherwise the clock of the file was set anew.
    let isGap: Bool
    /// The lead of the timestamps over the count that is nearest to the usual lead so far.
    private(set) var lead: Int64
    /// The timestamp with that lead, and the place that the count gives it.
    private(set) var timestamp: Int64
    private(set) var expected: Int64
    /// The samples from the jump on.
    var length: Int64
    private var bytePosition: Int64
    private var units = 0

    init(isGap: Bool, lead: Int64, frame: FrameTimeline.Frame, expected: Int64) {
        self.isGap = isGap
        self.lead = lead
        self.expected = expected
        timestamp = frame.timestamp
        length = Int64(frame.count)
        bytePosition = frame.bytePosition
    }

    /// Takes in a later timestamp that is not back where it was.
    mutating func note(lead: Int64, frame: FrameTimeline.Frame, expected: Int64, usualLead: Int64) {
        if frame.bytePosition != bytePosition || frame.bytePosition < 0 {
            bytePosition = frame.bytePosition
            units += 1
        }
        if abs(lead - usualLead) < abs(self.lead - usualLead) {
            (self.lead, self.expected, timestamp) = (lead, expected, frame.timestamp)
        }
    }

    /// Returns `true` if enough followed to call the jump real.
    func isCertain(sampleRate: Int32, frames: Int) -> Bool {
        let rate = Int64(sampleRate)
        if length >= rate * Self.longestWait || frames >= Self.mostFrames { return true }
        return units >= Self.neededUnits && length >= rate * Self.confirmation / 1_000
    }

    /// Returns `true` if the jump is real as far as can be told when nothing follows.
    func isLikely(sampleRate: Int32, usualLead: Int64) -> Bool {
        units >= Self.neededUnits || abs(lead - usualLead) > Int64(sampleRate) * Self.largestError / 1_000
    }
}
