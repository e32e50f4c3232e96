public import EarshotCore
public import EarshotMusic
public import Foundation

/// One play of a reference on a channel: its time, its duration, and the part of the reference that was heard.
///
/// While it plays the record is provisional and is written again from time to time under the same ``id``; when it is over it
/// is written as final. Dates count to the millisecond.
public struct PlayRecord: Hashable, Sendable, Codable, Identifiable {
    /// The identifier: made of channel, first known start and reference, and the same for ever.
    public let id: EntityID<PlayRecord>
    /// The channel.
    public var channel: PlayChannel
    /// The time at which it was first heard.
    public var start: Date
    /// The end; for a provisional play the time until which it has been heard.
    public var end: Date
    /// The state of the play.
    public var state: PlayState
    /// The duration for which it was heard, in seconds, without pauses: at most the time from start to end.
    public var playedDuration: Double
    /// The kind of play.
    public var kind: PlayKind
    /// The reference; `nil` for unknown audio.
    public var referenceID: ReferenceID?
    /// The work or item of the reference in the service's store.
    public var workID: String?
    /// The title.
    public var title: String?
    /// The artist or speaker.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The International Standard Recording Code, twelve characters where it is a valid one.
    public var isrc: String?
    /// The label.
    public var label: String?
    /// The position in the reference of the first heard part, in seconds.
    public var referenceStart: Double?
    /// The position in the reference at the end of the last heard part, in seconds.
    public var referenceEnd: Double?
    /// The duration of the reference, in seconds.
    public var referenceDuration: Double?
    /// The beginning of the play in the stream, in seconds of the monitor's stream time.
    public var queryStart: Double?
    /// The end of the play in the stream, in seconds of the monitor's stream time.
    public var queryEnd: Double?
    /// The evidence for it, as a matcher gives it.
    public var score: Double?
    /// The confidence, 0 to 1.
    public var confidence: Double?
    /// The playback speed relative to the reference: 0.01 is 1 % faster. In tables `time_skew`.
    public var speedSkew: Double?
    /// The pitch relative to the reference: 0.01 is 1 % higher. In tables `frequency_skew`.
    public var pitchSkew: Double?
    /// The reason for the end; `nil` for a provisional play.
    public var endReason: PlayEndReason?
    /// A text that the operator gave the reference or the station.
    public var callerRef: String?
    /// Whatever else is to be said.
    public var notes: String?

    /// A play.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The time at which it was first heard.
    ///   - end: The end, or the time until which it has been heard; `nil` for the start.
    ///   - referenceID: The reference.
    ///   - title: The title.
    ///   - artist: The artist.
    ///   - kind: The kind of play.
    ///   - state: The state of the play.
    ///   - id: The identifier of a play in progress; `nil` to make one.
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

    /// The identifier of the play of a reference that begins on a channel at an instant: the same on every machine.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The start of the play, to the millisecond.
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

    /// Start to end, in seconds.
    public var span: Double { max(0, end.timeIntervalSince(start)) }

    /// A one-line caption: `Artist - Title`, or the one that is known, or the reference.
    public var caption: String {
        let names = [artist, title].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? referenceID?.rawValue ?? kind.rawValue : names.joined(separator: " - ")
    }

    /// The seconds that were played within a span: the share of ``playedDuration`` that falls to it.
    public func playedDuration(in span: Range<Date>) -> Double {
        let overlap = min(end, span.upperBound).timeIntervalSince(max(start, span.lowerBound))
        guard overlap > 0, self.span > 0 else { return 0 }
        return playedDuration * min(1, overlap / self.span)
    }
}
