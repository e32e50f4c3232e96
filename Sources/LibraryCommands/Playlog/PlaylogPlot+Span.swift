import EarshotBroadcast
import Foundation

extension PlaylogPlot {
    /// The part of a span in which anything was heard or missed, widened to round times of the zone, so that a quarter of an
    /// hour fills the picture of a day.
    ///
    /// - Parameters:
    ///   - span: The span that is asked for.
    ///   - now: The end of gaps that are still open.
    /// - Returns: The whole span if nothing was heard, or nearly all of it.
    static func fitted(
        _ span: Range<Date>,
        timeZone: TimeZone,
        plays: [PlayRecord],
        gaps: [StreamGap] = [],
        heard stretches: [DetectedInterval] = [],
        now: Date
    ) -> Range<Date> {
        let parts =
            plays.map { ($0.start, $0.end) } + gaps.map { ($0.start, $0.end ?? now) }
            + stretches.map { ($0.start, $0.end) }
        let inside = parts.filter { $0.1 >= span.lowerBound && $0.0 < span.upperBound && $0.1 >= $0.0 }
        guard let first = inside.map({ $0.0 }).min(), let last = inside.map({ $0.1 }).max() else { return span }
        let (begin, end) = (max(first, span.lowerBound), min(last, span.upperBound))
        let seconds = end.timeIntervalSince(begin)
        let steps: [(longest: Double, step: Double)] = [(1_200, 60), (5_400, 300), (14_400, 900), (28_800, 1_800)]
        let step = steps.first { seconds <= $0.longest }?.step ?? 3_600
        let offset = Double(timeZone.secondsFromGMT(for: begin))
        func round(_ date: Date, _ rule: FloatingPointRoundingRule) -> Date {
            let local = date.timeIntervalSince1970 + offset
            return Date(timeIntervalSince1970: (local / step).rounded(rule) * step - offset)
        }
        let low = max(span.lowerBound, round(begin, .down))
        let high = min(span.upperBound, max(round(end, .up), low.addingTimeInterval(step)))
        let whole = span.upperBound.timeIntervalSince(span.lowerBound)
        return high.timeIntervalSince(low) > 0.8 * whole ? span : low..<high
    }

    /// The times of a span as a title shows them: `18:30 to 18:46`.
    static func words(_ span: Range<Date>, timeZone: TimeZone) -> String {
        func clock(_ date: Date) -> String {
            let local = date.addingTimeInterval(Double(timeZone.secondsFromGMT(for: date)))
            return String(PlaylogTime.text(local).dropFirst(11).prefix(5))
        }
        let end = clock(span.upperBound)
        return "\(clock(span.lowerBound)) to \(end == "00:00" ? "24:00" : end)"
    }
}
