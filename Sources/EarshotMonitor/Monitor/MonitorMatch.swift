public import EarshotBroadcast
import EarshotCatalogs
public import EarshotCore
public import EarshotRecognition

/// A match that a monitor found in a fingerprint store or a service.
public struct MonitorMatch: Hashable, Sendable {
    /// The title of the content; `nil` if unknown.
    public var title: String?
    /// A second line; `nil` if there is none.
    public var subtitle: String?
    /// The film, episode or advertisement; `nil` unless the match is in an archive or in a bundle that names it.
    public var work: VideoWork?
    /// The broadcast on a channel; `nil` for other matches.
    public var airing: Airing?
    /// The custom data that the bundle's author attached; `nil` unless the match is in the fingerprint store.
    public var customData: CustomData?
    /// The music; `nil` unless the match is of a music service.
    public var music: MusicMatch?
    /// The delay of the audio behind the live channel, in milliseconds; `nil` for other matches.
    public var behindLive: Int?
    /// The reference and the position of the audio in it; `nil` if the service did not send it.
    public var placement: ReferencePlacement?
    /// The position of the first sample of the fingerprint in the work or program, in milliseconds; `nil` if unknown.
    public var actualPosition: Int?
    /// The position when the match was reported, in milliseconds: ``actualPosition`` plus the time since the audio
    /// was heard; `nil` if unknown.
    public var adjustedPosition: Int?
    /// The duration of the work, program or recording, in milliseconds; `nil` if unknown. Positions never exceed it.
    public var duration: Int?
    /// The time at which the first sample of the fingerprint was heard, on the monitor's clock.
    public var capturedAt: MediaTime

    /// Creates a match with texts only.
    public init(title: String? = nil, subtitle: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        capturedAt = .zero
    }

    /// Creates a match from the answer of a broadcast service.
    public init(_ match: BroadcastMatch) {
        self.init(title: match.title, subtitle: match.subtitle)
        work = match.work
        airing = match.airing
        music = match.music
        behindLive = match.behindLive
        placement = match.placement
        actualPosition = Self.plausible(position: match.position)
        duration = match.work?.duration ?? match.airing?.program.duration ?? match.airing?.program.work?.duration
        if duration == nil, let seconds = match.music?.track.duration?.seconds, seconds > 0, seconds < 1e9 {
            duration = Int(seconds * 1_000)
        }
        duration = Self.plausible(duration: duration)
    }

    /// The longest that anything lasts, in milliseconds: thirty years. Bundles and services may say anything.
    private static let longest = 1_000_000_000_000

    /// A position that can be calculated with.
    static func plausible(position: Int?) -> Int? { position.flatMap { (-longest...longest).contains($0) ? $0 : nil } }

    /// A length that is one.
    static func plausible(duration: Int?) -> Int? { duration.flatMap { (1...longest).contains($0) ? $0 : nil } }

    private var speedSkew: Double { placement?.speedSkew ?? 0 }

    /// Returns the playback position in the work or program at a time, in milliseconds, if playback continues.
    ///
    /// - Parameter instant: The time on the monitor's clock.
    /// - Returns: Never beyond ``duration``; `nil` if no position is known.
    public func position(at instant: MediaTime) -> Int? {
        guard let actualPosition = Self.plausible(position: actualPosition) else { return nil }
        let elapsed = (instant - capturedAt).seconds * 1_000 * (1 + speedSkew)
        guard elapsed.isFinite, abs(elapsed) < 1e12 else { return actualPosition }
        let position = actualPosition + Int(elapsed.rounded())
        return duration.map { min(position, $0) } ?? position
    }

    /// The time at which playback has passed the end, with a tolerance of half a second; `nil` if the duration or the
    /// position is not known, and for broadcasts, because their breaks are not counted. A position beyond the end means
    /// that the duration is wrong.
    var end: MediaTime? {
        guard airing == nil, let duration = Self.plausible(duration: duration),
            let actualPosition = Self.plausible(position: actualPosition), actualPosition >= 0,
            actualPosition < duration,
            speedSkew > -0.5
        else { return nil }
        let rest = Double(duration - actualPosition) / 1_000 / (1 + speedSkew) + 0.5
        return capturedAt + MediaTime(seconds: rest, preferredTimescale: 1_000)
    }

    /// A key that is equal for matches of the same content.
    var content: String {
        if let customData { return "data \(customData.identifier)" }
        if let work { return "work \(work.id)" }
        if let airing { return "airing \(airing.channel.id) \(airing.program.id)" }
        if let track = music?.track.id { return "track \(track)" }
        return "reference \(placement?.reference.rawValue ?? "") \(title ?? "") \(subtitle ?? "")"
    }

    /// Returns the match as one line of text, with its number among the matches, from 1: identifier and position for custom data; title,
    /// subtitle, call sign and position for anything else.
    public func line(_ number: Int) -> String {
        let position = PositionText.clock(adjustedPosition)
        let parts: [String]
        if let customData {
            parts = [customData.identifier, position]
        } else {
            parts = [title ?? "", subtitle ?? "", airing?.channel.callSign ?? "", position]
        }
        return "\(number). " + parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
