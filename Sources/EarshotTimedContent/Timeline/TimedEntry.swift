public import EarshotCatalogs
public import EarshotCore

/// Something that belongs to a place in a reference: a question of a lesson, a line of a song, a chapter.
///
/// Times are positions in the reference. An entry is checked when it becomes part of a ``Timeline``.
public struct TimedEntry: Hashable, Sendable, Identifiable {
    /// Its name, given once within the timeline: 1 to 256 bytes.
    public var id: String
    /// What it is called, or the text itself.
    public var title: String
    /// When it begins.
    public var start: MediaTime
    /// When it ends, the instant itself excluded. Without one it lasts until the next entry of its lane.
    public var end: MediaTime?
    /// Entries of different lanes are active at the same time; of one lane, only the last that began. 0 to 255.
    public var lane: Int
    /// What appears step by step while the entry is active; ascending by start within a timeline.
    public var parts: [TimedPart]
    /// When an answer counts, the upper bound excluded.
    public var answerRange: Range<MediaTime>?
    /// `true` if an answer is asked for; then there is an ``answerRange``.
    public var requiresAnswer: Bool
    /// What the app wants to know about it, such as an equation.
    public var payload: [String: PropertyValue]

    /// An entry.
    ///
    /// - Parameters:
    ///   - id: Its name within the timeline.
    ///   - title: What it is called.
    ///   - start: When it begins in the reference.
    ///   - end: When it ends; without it, with the next entry of the lane.
    ///   - lane: Which entries it takes turns with.
    ///   - parts: What appears step by step.
    ///   - answerRange: When an answer counts.
    ///   - requiresAnswer: `true` if one is asked for.
    ///   - payload: What the app wants to know about it.
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
