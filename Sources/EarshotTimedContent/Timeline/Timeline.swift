public import EarshotCatalogs
public import EarshotCore

/// The timed content of one reference: checked entries, ordered by start.
///
/// Times are stored in whole microseconds; finer ones are rounded. Entries that begin at the same time keep the order
/// in which they were given.
public struct Timeline: Hashable, Sendable {
    /// The largest number of entries: 100,000.
    public static let maximumEntryCount = 100_000
    /// The largest number of parts of an entry: 1,000.
    public static let maximumPartCount = 1_000
    /// The latest time: 360,000 s.
    public static let maximumTime = MediaTime(value: 360_000, timescale: 1)
    /// The largest size of a title, and of a text in a payload, in bytes of UTF-8: 65,536.
    public static let maximumTextSize = 65_536
    /// The largest size of an identifier, in bytes of UTF-8: 256.
    public static let maximumIDSize = 256
    /// The largest depth of arrays and dictionaries in a payload: 24 levels.
    public static let maximumPayloadDepth = 24
    /// The valid lanes: 0 to 255.
    public static let lanes = 0..<256

    /// The name of the reference that the times belong to; `nil` if unknown.
    public let reference: ReferenceID?
    /// Metadata of the whole timeline, such as the artist of lyrics or the title of an episode.
    public let metadata: [String: PropertyValue]
    /// The entries, ordered by start.
    public let entries: [TimedEntry]
    /// The entries of each lane in use, ascending by lane.
    let laneIndex: [TimelineLane]

    /// Creates a timeline of entries in any order.
    ///
    /// - Parameters:
    ///   - entries: At most 100,000 entries, with unique identifiers.
    ///   - reference: The name of the reference that the times belong to; `nil` if unknown.
    ///   - metadata: Metadata of the whole timeline.
    /// - Throws: `timelineInvalid`, with the entry and the remedy, for: a negative time or one beyond 360,000 s; an end
    ///   that is not after its start; a part or answer range outside its entry; a required answer without a range; a
    ///   duplicate identifier; and sizes beyond the limits.
    public init(
        _ entries: [TimedEntry],
        reference: ReferenceID? = nil,
        metadata: [String: PropertyValue] = [:]
    ) throws(EarshotError) {
        do throws(TimedContentFault) {
            self = try Timeline.checked(entries, reference: reference, metadata: metadata)
        } catch {
            throw error.error()
        }
    }

    /// Entries that were checked.
    init(checked entries: [TimedEntry], reference: ReferenceID?, metadata: [String: PropertyValue]) {
        self.reference = reference
        self.metadata = metadata
        // Sorting of the standard library is stable.
        let sorted = entries.map(\.inMicroseconds).sorted { $0.start < $1.start }
        self.entries = sorted
        var lanes: [Int: [Int]] = [:]
        for (index, entry) in sorted.enumerated() { lanes[entry.lane, default: []].append(index) }
        laneIndex = lanes.sorted { $0.key < $1.key }.map { TimelineLane(number: $0.key, entries: $0.value) }
    }
}

/// The places of the entries of one lane, ascending by start.
struct TimelineLane: Hashable, Sendable {
    let number: Int
    let entries: [Int]
}

extension TimedEntry {
    /// The entry with times in whole microseconds and parts in the order in which they appear.
    fileprivate var inMicroseconds: TimedEntry {
        var entry = self
        entry.start = start.inMicroseconds
        entry.end = end?.inMicroseconds
        entry.answerRange = answerRange.map { $0.lowerBound.inMicroseconds..<$0.upperBound.inMicroseconds }
        for index in entry.parts.indices { entry.parts[index].start = entry.parts[index].start.inMicroseconds }
        entry.parts.sort { $0.start < $1.start }
        return entry
    }
}

extension MediaTime {
    /// The nearest whole microsecond: what timed content is kept in.
    var inMicroseconds: MediaTime { converted(toTimescale: 1_000_000) }

    /// Seconds as they stand in a file, to the microsecond.
    init(timedSeconds seconds: Double) { self.init(seconds: seconds, preferredTimescale: 1_000_000) }
}
