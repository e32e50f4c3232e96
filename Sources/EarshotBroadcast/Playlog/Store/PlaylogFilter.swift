import EarshotCore
import EarshotMusic
import Foundation

/// The conditions of a query on the columns of a database, the same for all databases. Each has its own SQL for them.
///
/// Times are in milliseconds since 1970.
package struct PlaylogFilter: Sendable {
    /// The columns that must have one of the texts.
    package private(set) var texts: [(column: String, values: [String])] = []
    /// The state of plays: `true` for provisional, `false` for final; `nil` for all.
    package private(set) var isOpen: Bool?
    /// The interval that rows must overlap; `nil` for all times.
    package let span: (lower: Int64, upper: Int64)?

    /// Creates the conditions for plays.
    package init(plays query: PlayQuery) {
        self.init(gaps: query)
        add("reference", query.references.map(\.rawValue))
        add("kind", query.kinds.map(\.rawValue))
        isOpen = query.state.map { $0 == .provisional }
    }

    /// Creates the conditions for gaps and for monitored intervals: only channels and interval count.
    package init(gaps query: PlayQuery) {
        span = query.span.map { (PlaylogTime.bounded($0.lowerBound), PlaylogTime.bounded($0.upperBound)) }
        add("channel", query.channels.map(\.rawValue))
    }

    /// Returns the query with the limits of its interval rounded to milliseconds, as rows have them.
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
