public import EarshotCatalogs
public import EarshotCore

/// An item of a timeline at a position in a reference: a question of a lesson, a line of a song, a chapter.
///
/// Times are positions in the reference. An entry is checked when it becomes part of a ``Timeline``.
public struct TimedEntry: Hashable, Sendable, Identifiable {
    /// The identifier of the entry, unique within the timeline: 1 to 256 bytes of UTF-8.
    public var id: String
    /// The title, or the text to show.
    public var title: String
    /// The start, as a position in the reference.
    public var start: MediaTime
    /// The end, exclusive, as a position in the reference; `nil` for an entry that lasts until the next one of its
    /// lane.
    public var end: MediaTime?
    /// The lane, 0 to 255. Entries of different lanes are active at the same time; of one lane only the last that
    /// began.
    public var lane: Int
    /// The parts that appear one after the other while the entry is active. A timeline sorts them by start.
    public var parts: [TimedPart]
    /// The interval of the reference in which an answer counts, the upper bound exclusive; `nil` if the entry accepts
    /// none.
    public var answerRange: Range<MediaTime>?
    /// `true` if the entry requires an answer; then it must have an ``answerRange``.
    public var requiresAnswer: Bool
    /// Data for the app, such as an equation; empty for none.
    public var payload: [String: PropertyValue]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier, unique within the timeline.
    ///   - title: The title, or the text to show.
    ///   - start: The start, as a position in the reference.
    ///   - end: The end, exclusive; `nil` for the start of the next entry of the lane.
    ///   - lane: The lane, 0 to 255. At most one entry of a lane is active at a time.
    ///   - parts: The parts that appear one after the other.
    ///   - answerRange: The interval in which an answer counts; `nil` for none.
    ///   - requiresAnswer: `true` if the entry requires an answer.
    ///   - payload: Data for the app.
    public init(
        id: String,
        title: String,
        start: MediaTime,
        end: MediaTime? = nil,
        lane: Int = 0,
        parts: [TimedPart] = [],
        answerRange: Range<MediaTime>? = nil,
        requiresAnswer: Bool = false,
        payload: [String: PropertyValue] = [:]
    ) {
        self.id = id
        self.title = title
        self.start = start
        self.end = end
        self.lane = lane
        self.parts = parts
        self.answerRange = answerRange
        self.requiresAnswer = requiresAnswer
        self.payload = payload
    }

    /// Returns `true` if an answer given at a position counts, because ``answerRange`` contains it.
    public func acceptsAnswer(at position: MediaTime) -> Bool {
        answerRange?.contains(position) ?? false
    }

    /// Returns the parts that have appeared at a position.
    public func shownParts(at position: MediaTime) -> [TimedPart] {
        parts.filter { $0.start <= position }
    }
}
