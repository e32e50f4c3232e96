/// The kind of a change in a log.
public enum PlayEvent: String, Hashable, Sendable, Codable, CaseIterable {
    /// A play has started.
    case playStarted = "play.started"
    /// The details of a running play changed.
    case playUpdated = "play.updated"
    /// A play has ended; its record is final. A play that had ended when it was first written has no other event.
    case playEnded = "play.ended"
    /// A final record was corrected.
    case playCorrected = "play.corrected"
    /// A provisional play was an error, and its record was withdrawn.
    case playWithdrawn = "play.withdrawn"
    /// Unknown audio was heard again: sent instead of ``playStarted``.
    case unknownRepeated = "unknown.repeated"
    /// A channel is no longer received.
    case streamLost = "stream.lost"
    /// A channel is received again.
    case streamBack = "stream.back"
    /// A gap that had ended was corrected, or the details of a running gap.
    case streamCorrected = "stream.corrected"
}

/// A change of a log: an event, its number, and the state of the play or gap at that time.
public struct PlayChange: Hashable, Sendable, Codable {
    /// The play or gap, in its state at that time.
    public enum Subject: Hashable, Sendable {
        /// A play.
        case play(PlayRecord)
        /// A gap.
        case gap(StreamGap)
    }

    /// The number. Later changes have greater numbers, and no number is used twice.
    public let sequence: Int
    /// The kind of event.
    public let event: PlayEvent
    /// The play or gap.
    public let subject: Subject

    /// Creates a change. Only stores do so.
    ///
    /// - Parameters:
    ///   - sequence: The number.
    ///   - event: The kind of event.
    ///   - subject: The play or gap.
    public init(sequence: Int, event: PlayEvent, subject: Subject) {
        self.sequence = sequence
        self.event = event
        self.subject = subject
    }

    /// The channel of the play or gap.
    public var channel: PlayChannel {
        switch subject {
        case .play(let record): record.channel
        case .gap(let gap): gap.channel
        }
    }

    private enum CodingKeys: String, CodingKey { case sequence, event, play, gap }

    /// Decodes `sequence`, `event`, and `play` or `gap`.
    ///
    /// - Throws: `DecodingError` if one is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sequence = try container.decode(Int.self, forKey: .sequence)
        event = try container.decode(PlayEvent.self, forKey: .event)
        if let record = try container.decodeIfPresent(PlayRecord.self, forKey: .play) {
            subject = .play(record)
        } else {
            subject = .gap(try container.decode(StreamGap.self, forKey: .gap))
        }
    }

    /// Encodes `sequence`, `event`, and `play` or `gap`.
    ///
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(event, forKey: .event)
        switch subject {
        case .play(let record): try container.encode(record, forKey: .play)
        case .gap(let gap): try container.encode(gap, forKey: .gap)
        }
    }
}
