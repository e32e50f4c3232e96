public import EarshotCore
public import EarshotMusic
public import Foundation

/// One play of a reference on a channel: its time, its duration, and the part of the reference that was heard.
///
/// During the play the record is provisional, and is written again from time to time with the same ``id``. At the end
/// it is written as final. Times are stored to the millisecond.
public struct PlayRecord: Hashable, Sendable, Codable, Identifiable {
    /// The identifier, derived from channel, first known start and reference. It never changes.
    public let id: EntityID<PlayRecord>
    /// The channel.
    public var channel: PlayChannel
    /// The time at which it was first heard.
    public var start: Date
    /// The end; for a provisional play the time until which it has been heard.
    public var end: Date
    /// The state of the play.
    public var state: PlayState
    /// The time for which it was heard, in seconds, without pauses: at most the time from start to end.
    public var playedDuration: Double
    /// The kind of play.
    public var kind: PlayKind
    /// The reference; `nil` for unknown audio.
    public var referenceID: ReferenceID?
    /// The identifier of the work or item of the reference in the service's store.
    public var workID: String?
    /// The title.
    public var title: String?
    /// The artist or speaker.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The International Standard Recording Code; twelve characters if it is valid.
    public var isrc: String?
    /// The record label.
    public var label: String?
    /// The position in the reference of the first heard part, in seconds.
    public var referenceStart: Double?
    /// The position in the reference at the end of the last heard part, in seconds.
    public var referenceEnd: Double?
    /// The duration of the reference, in seconds.
    public var referenceDuration: Double?
    /// The start of the play, in seconds of the monitor's stream time.
    public var queryStart: Double?
    /// The end of the play, in seconds of the monitor's stream time.
    public var queryEnd: Double?
    /// The evidence, in nats.
    public var score: Double?
    /// The confidence, from 0 to 1.
    public var confidence: Double?
    /// The relative deviation of the playback speed from the reference's: 0.01 is 1 % faster. In tables `time_skew`.
    public var speedSkew: Double?
    /// The relative deviation of the pitch from the reference's: 0.01 is 1 % higher. In tables `frequency_skew`.
    public var pitchSkew: Double?
    /// The reason for the end; `nil` for a provisional play.
    public var endReason: PlayEndReason?
    /// The operator's own text for the reference or the station.
    public var callerRef: String?
    /// Notes in free text.
    public var notes: String?

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The time at which it was first heard.
    ///   - end: The end, or the time until which it has been heard. Default: `start`.
    ///   - referenceID: The reference.
    ///   - title: The title.
    ///   - artist: The artist.
    ///   - kind: The kind of play.
    ///   - state: The state of the play.
    ///   - id: The identifier of a play in progress; `nil` to derive a new one.
    public init(
        channel: PlayChannel,
        start: Date,
        end: Date? = nil,
        referenceID: ReferenceID?,
        title: String? = nil,
        artist: String? = nil,
        kind: PlayKind = .song,
        state: PlayState = .provisional,
        id: EntityID<PlayRecord>? = nil
    ) {
        self.id = id ?? Self.identifier(channel: channel.id, start: start, reference: referenceID)
        self.channel = channel
        self.start = start
        self.end = end ?? start
        self.referenceID = referenceID
        self.title = title
        self.artist = artist
        self.kind = kind
        self.state = state
        playedDuration = max(0, self.end.timeIntervalSince(start))
    }

    /// Returns the identifier of the play of a reference that begins on a channel at a time. It is the same on every
    /// machine.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The start of the play, rounded to the millisecond.
    ///   - reference: The reference.
    public static func identifier(
        channel: EntityID<BroadcastChannel>,
        start: Date,
        reference: ReferenceID?
    ) -> EntityID<PlayRecord> {
        var bytes = Data(channel.rawValue.utf8)
        bytes.append(0xFF)
        bytes.append(contentsOf: String(PlaylogTime.bounded(start)).utf8)
        bytes.append(0xFF)
        if let reference { bytes.append(contentsOf: reference.rawValue.utf8) }
        return EntityID(DerivedID.text("play", bytes: bytes))
    }

    /// The time from start to end, in seconds.
    public var span: Double { max(0, end.timeIntervalSince(start)) }

    /// A one-line caption: `Artist - Title`, or one of the two, or the reference, or the kind.
    public var caption: String {
        let names = [artist, title].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? referenceID?.rawValue ?? kind.rawValue : names.joined(separator: " - ")
    }

    /// Returns the seconds played within an interval: the proportional share of ``playedDuration``.
    public func playedDuration(in span: Range<Date>) -> Double {
        let overlap = min(end, span.upperBound).timeIntervalSince(max(start, span.lowerBound))
        guard overlap > 0, self.span > 0 else { return 0 }
        return playedDuration * min(1, overlap / self.span)
    }
}
