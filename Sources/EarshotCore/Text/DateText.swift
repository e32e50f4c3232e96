package import Foundation

/// Formats and parses dates in ISO 8601, in the form that files, services and commands share.
package enum DateText {
    /// Formats a date in UTC, with milliseconds if they are not 0.
    package static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        // The style cuts off what it does not show: a little is added, as the value is seldom exact.
        let rounded = Date(timeIntervalSince1970: milliseconds / 1_000 + 0.000_2)
        let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1_000) != 0
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }

    /// Parses a date with its time zone, in whole milliseconds; `nil` if the text is not a date.
    package static func date(of text: String) -> Date? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard text.utf8.count <= 40, let date = try? style.parse(text) else { return nil }
        return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }
}
