import EarshotCore

/// Decides when a source that sends nothing counts as lost.
///
/// A pure value: the station's runner tells it when it begins to wait for audio and when audio arrives, and asks at ``deadline``.
/// A source is lost after ``patience`` without audio. Audio that arrived ahead of real time extends the limit, because a server that
/// sends pieces of several seconds, as HLS does, is silent between two of them. How far ahead a server is counts for as long as
/// the audio takes at most: the burst with which Icecast begins does not extend the limit for the whole connection.
struct SilenceDetector: Sendable {
    /// Seconds without audio after which a source is lost: the log and its receivers learn of it within five.
    static let patience = 4.0
    /// Seconds by which the limit grows for each second of audio that arrived ahead: HLS asks for the next piece up to half a piece
    /// late.
    private static let extensionFactor = 1.5
    /// Seconds of audio that count as played in a second: more than one, so that a constant lead is forgotten.
    private static let drainRate = 2.0
    /// The longest lead that counts, in seconds.
    private static let longestLead = 60.0

    /// `true` if audio arrives.
    private(set) var isLive = false
    /// Since when audio is waited for; `nil` while none is.
    private var waitingSince: MediaTime?
    private var lastArrival: MediaTime?
    /// Seconds of audio that arrived ahead of real time.
    private var lead = 0.0

    /// The instant from which on the source is lost; `nil` while nothing is waited for, and while it is lost.
    var deadline: MediaTime? {
        guard isLive, let waitingSince else { return nil }
        let seconds = Self.patience + Self.extensionFactor * lead
        return waitingSince + MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
    }

    /// Notes that the next audio is waited for from now on. Time in which audio is processed is no silence of the source.
    mutating func waits(at now: MediaTime) { waitingSince = now }

    /// Takes note of audio.
    ///
    /// - Parameters:
    ///   - seconds: The length of the audio.
    ///   - now: When it arrived.
    /// - Returns: `true` if it is the first behind a loss, or of the source.
    mutating func received(_ seconds: Double, at now: MediaTime) -> Bool {
        let gone = lastArrival.map { max(0, (now - $0).seconds) } ?? 0
        lead = min(Self.longestLead, max(0, lead + max(0, seconds) - Self.drainRate * gone))
        (lastArrival, waitingSince) = (now, nil)
        defer { isLive = true }
        return !isLive
    }

    /// Decides whether the source is lost.
    ///
    /// - Returns: For how many seconds it has been silent, once for each loss; `nil` while it is not lost.
    mutating func check(at now: MediaTime) -> Double? {
        guard let deadline, let waitingSince, now >= deadline else { return nil }
        isLive = false
        return (now - waitingSince).seconds
    }

    /// Forgets the connection: it has ended, or failed.
    mutating func disconnected() { self = SilenceDetector() }
}
