public import EarshotCore
public import EarshotMusic
public import Foundation

/// One play of one reference on one channel: what was heard, when, how long, and which part of it.
///
/// While it plays the record is provisional and is written again from time to time under the same ``id``; when it is over it
/// is written as final. Dates count to the millisecond.
public struct PlayRecord: Hashable, Sendable, Codable, Identifiable {
    /// The identifier: made of channel, first known start and reference, and the same for ever.
    public let id: EntityID<PlayRecord>
    /// Where it was heard.
    public var channel: PlayChannel
    /// When it began to be heard.
    public var start: Date
    /// When it ended; while it is provisional, until when it was heard so far.
    public var end: Date
    /// Whether it goes on.
    public var state: PlayState
    /// How long it was heard, in seconds, without pauses: at most the time from start to end.
    public var playedDuration: Double
    /// What it is.
    public var kind: PlayKind
    /// Which reference it is; `nil` for what is none.
    public var referenceID: ReferenceID?
    /// The work or the item that the reference stands for, in the catalog of the service.
    public var workID: String?
    /// What it is called.
    public var title: String?
    /// Who plays or speaks.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The International Standard Recording Code, twelve characters where it is a valid one.
    public var isrc: String?
    /// The label.
    public var label: String?
    /// Where in the reference the first heard part lies, in seconds.
    public var referenceStart: Double?
    /// Where in the reference the last heard part ends, in seconds.
    public var referenceEnd: Double?
    /// The duration of the reference, in seconds.
    public var referenceDuration: Double?
    /// Where in the stream the play begins, in seconds of the monitor's stream time.
    public var queryStart: Double?
    /// Where in the stream the play ends, in seconds of the monitor's stream time.
    public var queryEnd: Double?
    /// The evidence for it, as a matcher gives it.
    public var score: Double?
    /// How sure it is, 0 to 1.
    public var confidence: Double?
    /// How much faster than the reference it was played: 0.01 is 1 % faster. In tables `time_skew`.
    public var speedSkew: Double?
    /// How much higher than the reference it was played: 0.01 is 1 % higher. In tables `frequency_skew`.
    public var pitchSkew: Double?
    /// Why it ended; `nil` while it is provisional.
    public var endReason: PlayEndReason?
    /// A text that the operator gave the reference or the station.
    public var callerRef: String?
    /// Whatever else is to be said.
    public var notes: String?

    /// A play.
    ///
    /// - Parameters:
    ///   - channel: Where it was heard.
    ///   - start: When it began to be heard.
    ///   - end: When it ended, or until when it was heard so far; `nil` for the start.
    ///   - referenceID: Which reference it is.
    ///   - title: What it is called.
    ///   - artist: Who plays.
    ///   - kind: What it is.
    ///   - state: Whether it goes on.
    ///   - id: The identifier of a play that goes on; nothing to make one.
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
    ///   - start: When the play begins, to the millisecond.
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

    /// What it is called where a line is wanted: `Artist - Title`, or what is known of these, or the reference.
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
