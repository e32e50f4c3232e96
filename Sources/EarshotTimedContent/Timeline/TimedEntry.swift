public import EarshotCatalogs
public import EarshotCore

/// Something that belongs to a place in a reference: a question of a lesson, a line of a song, a chapter.
///
/// Times are positions in the reference. An entry is checked when it becomes part of a ``Timeline``.
public struct TimedEntry: Hashable, Sendable, Identifiable {
    /// Its name, given once within the timeline: 1 to 256 bytes.
    public var id: String
    /// The title, or the text to show.
    public var title: String
    /// The start.
    public var start: MediaTime
    /// The end, exclusive. `nil` for an entry that lasts until the next one of its lane.
    public var end: MediaTime?
    /// Entries of different lanes are active at the same time; of one lane, only the last that began. 0 to 255.
    public var lane: Int
    /// The parts that appear one after the other while the entry is active, ascending by start within a timeline.
    public var parts: [TimedPart]
    /// The interval in which an answer counts; the upper bound is exclusive.
    public var answerRange: Range<MediaTime>?
    /// `true` if an answer is asked for; then there is an ``answerRange``.
    public var requiresAnswer: Bool
    /// Data for the app, such as an equation.
    public var payload: [String: PropertyValue]

    /// An entry.
    ///
    /// - Parameters:
    ///   - id: Its name within the timeline.
    ///   - title: The title.
    ///   - start: The start, as a position in the reference.
    ///   - end: The end; `nil` for the start of the next entry of the lane.
    ///   - lane: The lane. At most one entry of a lane is active at a time.
    ///   - parts: The parts that appear one after the other.
    ///   - answerRange: The interval in which an answer counts.
    ///   - requiresAnswer: `true` if one is asked for.
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

    /// Returns `true` if an answer given at a position counts: from the lower bound of ``answerRange`` on, before its
    /// upper one.
    public func acceptsAnswer(at position: MediaTime) -> Bool {
        answerRange?.contains(position) ?? false
    }

    /// The parts that are visible at a position.
    public func shownParts(at position: MediaTime) -> [TimedPart] {
        parts.filter { $0.start <= position }
    }
}
