import EarshotCore
import EarshotMusic
import Foundation

/// The conditions of a query on the columns of a database, alike in all databases; each has its own SQL for them.
///
/// Times are milliseconds since 1970.
package struct PlaylogFilter: Sendable {
    /// The columns of which a row has one of the texts.
    package private(set) var texts: [(column: String, values: [String])] = []
    /// The state of plays: `true` for provisional ones; `nil` for all.
    package private(set) var isOpen: Bool?
    /// The span in which rows lie, if only in part; `nil` for all time.
    package let span: (lower: Int64, upper: Int64)?

    /// Conditions of plays.
    package init(plays query: PlayQuery) {
        self.init(gaps: query)
        add("reference", query.references.map(\.rawValue))
        add("kind", query.kinds.map(\.rawValue))
        isOpen = query.state.map { $0 == .provisional }
    }

    /// Conditions of gaps and of the intervals in which channels were heard: only channels and span count.
    package init(gaps query: PlayQuery) {
        span = query.span.map { (PlaylogTime.bounded($0.lowerBound), PlaylogTime.bounded($0.upperBound)) }
        add("channel", query.channels.map(\.rawValue))
    }

    /// The query whose span begins and ends on whole milliseconds, as rows do.
    package static func rounded(_ query: PlayQuery) -> PlayQuery {
        var query = query
        query.span = PlaylogFilter(gaps: query).span.map { span in
            let lower = PlaylogTime.date(span.lower)
            return lower..<max(lower, PlaylogTime.date(span.upper))
        }
        return query
    }

    private mutating func add(_ column: String, _ values: [String]) {
        if !values.isEmpty { texts.append((column, values)) }
    }
}
