import EarshotCatalogs
import EarshotCore

/// Decides when the catalog is searched and with how much audio, and keeps uncertain findings. Times are the stream's,
/// in seconds.
struct Acquisition: Sendable {
    /// The time from which the audio may be of one unknown recording.
    private(set) var start: Double
    private var searchedAt: Double
    private var escalatedAt: Double?
    private var turn = 0
    private var reportedAt: Double
    /// The uncertain findings of the last searches.
    var pending: Pending?

    /// A candidate that waits for more audio.
    struct Pending: Sendable {
        var id: ReferenceID
        /// Its position at the stream's zero, and how fast it runs.
        var position: Double
        var speed: Double
        var score: Double
        var at: Double
    }

    init(from start: Double) {
        self.start = start
        searchedAt = start
        reportedAt = start
    }

    mutating func restart(at time: Double) { self = Acquisition(from: time) }

    /// The audio to search with now.
    struct Query {
        /// The beginning of the audio.
        var start: Double
        var escalates: Bool
    }

    /// The next query, when one is due.
    mutating func query(at end: Double, _ parameters: StreamParameters, _ limits: QueryLimits) -> Query? {
        let heard = end - start
        guard heard >= limits.minimum.seconds, end - searchedAt >= parameters.searchInterval - 1e-6 || turn == 0 else {
            return nil
        }
        searchedAt = end
        turn += 1
        var length = heard
        if heard > parameters.longestWindow {
            length = parameters.windows[turn % parameters.windows.count]
        } else if heard > 6, turn % 2 == 0 {
            // What is looked for may have begun since.
            length = 4
        }
        var escalates = false
        if let due = parameters.escalations.first(where: { $0 > (escalatedAt ?? start) - start + 1e-6 }) {
            escalates = heard >= due
        } else if let last = escalatedAt {
            escalates = end - last >= parameters.escalationInterval
        }
        if escalates {
            escalatedAt = end
            length = min(heard, parameters.longestWindow)
        }
        length = min(max(length, limits.minimum.seconds), limits.maximum.seconds)
        return Query(start: end - length, escalates: escalates)
    }

    /// Returns `true` if it is time to say that nothing matches: when as much has been heard as a query can last, or as
    /// more of would not help.
    mutating func isToReport(at end: Double, _ parameters: StreamParameters, _ limits: QueryLimits) -> Bool {
        let enough = max(limits.minimum.seconds, min(parameters.longestWindow, limits.maximum.seconds))
        guard end - reportedAt >= enough else { return false }
        reportedAt = end
        return true
    }
}
