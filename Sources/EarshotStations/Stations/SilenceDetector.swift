import EarshotCore

/// Decides when a source that sends nothing counts as lost.
///
/// A pure value: the station's runner reports when it starts to wait for audio and when audio arrives, and calls
/// ``check(at:)`` at ``deadline``. A source is lost after ``patience`` without audio. Audio that arrived ahead of real
/// time extends the limit, because a server that sends chunks of several seconds, as with HLS, is silent between two of
/// them. The lead of a server counts for at most as long as the audio lasts, so the initial burst of Icecast does not
/// extend the limit for the whole connection.
struct SilenceDetector: Sendable {
    /// The time without audio after which a source is lost, in seconds: the log and its receivers learn of it within
    /// five.
    static let patience = 4.0
    /// The extension of the limit for each second of lead, in seconds: an HLS client requests the next chunk up to half
    /// a chunk late.
    private static let extensionFactor = 1.5
    /// The seconds of audio that count as played in one second: more than one, so that a constant lead is forgotten.
    private static let drainRate = 2.0
    /// The longest lead that counts, in seconds.
    private static let longestLead = 60.0

    /// `true` if audio arrives.
    private(set) var isLive = false
    /// The time since which audio is awaited; `nil` while it is not.
    private var waitingSince: MediaTime?
    private var lastArrival: MediaTime?
    /// The lead of the audio over real time, in seconds.
    private var lead = 0.0

    /// The time from which the source is lost; `nil` while no audio is awaited, and while the source is lost.
    var deadline: MediaTime? {
        guard isLive, let waitingSince else { return nil }
        let seconds = Self.patience + Self.extensionFactor * lead
        return waitingSince + MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
    }

    /// Records that the next audio is awaited from now on. Time in which audio is processed does not count as silence.
    mutating func waits(at now: MediaTime) { waitingSince = now }

    /// Records that audio arrived.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the audio, in seconds.
    ///   - now: The time at which it arrived.
    /// - Returns: `true` if it is the first after a loss, or the first of the source.
    mutating func received(_ seconds: Double, at now: MediaTime) -> Bool {
        let gone = lastArrival.map { max(0, (now - $0).seconds) } ?? 0
        lead = min(Self.longestLead, max(0, lead + max(0, seconds) - Self.drainRate * gone))
        (lastArrival, waitingSince) = (now, nil)
        defer { isLive = true }
        return !isLive
    }

    /// Checks whether the source is lost.
    ///
    /// - Returns: The duration of the silence in seconds, once for each loss; `nil` otherwise.
    mutating func check(at now: MediaTime) -> Double? {
        guard let deadline, let waitingSince, now >= deadline else { return nil }
        isLive = false
        return (now - waitingSince).seconds
    }

    /// Resets the state after a connection has ended or failed.
    mutating func disconnected() { self = SilenceDetector() }
}
