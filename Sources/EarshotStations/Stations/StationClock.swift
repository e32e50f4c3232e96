import EarshotCore
import Foundation

/// Returns the date on which a position of a station's stream was heard.
///
/// The least delay of arrival counts. Audio that arrives at once when a stream is opened is older than its arrival, so
/// in the first 30 s the whole connection may be moved back. Later the line is bent by at most 0.5 %, so that dates
/// never step back and follow a stream that drifts against the clock. Only a clock that was set causes a step.
struct StationClock: Sendable {
    /// A bend of the line. Dates are in seconds since 1970.
    struct Knot: Hashable, Sendable, Codable {
        var stream: Double
        var date: Double
        /// The end of the previous connection: nothing of this one was heard earlier. `nil` if there was none.
        var floor: Double?
        /// `true` if the clock was set here.
        var isStep: Bool

        var value: Double { max(floor ?? date, date) }

        func value(at time: Double) -> Double { max(floor ?? -.infinity, date + time - stream) }
    }

    /// The time after the start of a connection in which it may be moved, in seconds.
    private static let grace = 30.0
    /// The distance between two bends, in seconds of the stream.
    private static let spacing = 5.0
    /// The largest bend of the line, as a share.
    private static let slope = 0.005
    /// The difference that cannot come from the network, in seconds.
    private static let step = 2.0
    /// The length of the past that is kept, in seconds.
    private static let memory = 900.0

    private(set) var knots: [Knot]
    private var delays = CaptureClock()
    /// The time of the connection's first audio, by uptime and in the stream, in seconds.
    private var connection: (uptime: Double, stream: Double)?
    private var floor: Double?

    init(knots: [Knot] = []) {
        self.knots = knots.filter { $0.stream.isFinite && $0.date.isFinite && $0.floor?.isFinite ?? true }
    }

    /// Ends a connection. Nothing of the next one was heard before this end.
    mutating func disconnect(at end: Double) {
        (connection, delays) = (nil, CaptureClock())
        if !knots.isEmpty { floor = seconds(at: end) }
    }

    /// Records the arrival of audio at a range of the stream, in seconds.
    mutating func note(_ range: Range<Double>, at instant: StationInstant) {
        let uptime = instant.uptime.seconds
        delays.note(range.upperBound, arrivedAt: instant.uptime)
        let ideal = instant.date.timeIntervalSince1970 - uptime + delays.instant(of: range.upperBound).seconds
        guard let connection else {
            connection = (uptime, range.lowerBound)
            let date = ideal - (range.upperBound - range.lowerBound)
            knots.append(Knot(stream: range.lowerBound, date: date, floor: floor, isStep: false))
            return
        }
        guard let last = knots.last else { return }
        let known = last.date + range.upperBound - last.stream
        let difference = ideal - known
        if difference < 0, difference > -60, uptime - connection.uptime < Self.grace {
            for index in knots.indices where knots[index].stream >= connection.stream {
                knots[index].date += difference
            }
        } else if abs(difference) > Self.step {
            knots.append(Knot(stream: range.upperBound, date: ideal, floor: nil, isStep: difference < 0))
        } else if range.upperBound - last.stream >= Self.spacing {
            let limit = Self.slope * (range.upperBound - last.stream)
            let bend = min(limit, max(-limit, difference))
            knots.append(Knot(stream: range.upperBound, date: known + bend, floor: last.floor, isStep: false))
        }
        let old = knots.firstIndex { $0.stream > range.upperBound - Self.memory } ?? knots.count
        knots.removeFirst(max(0, old - 1))
    }

    /// Returns the date on which a position of the stream, in seconds, was heard.
    func date(at time: Double) -> Date { Date(timeIntervalSince1970: seconds(at: time)) }

    private func seconds(at time: Double) -> Double {
        guard let first = knots.first else { return time }
        guard let index = knots.lastIndex(where: { $0.stream <= time }) else { return first.date + time - first.stream }
        let value = knots[index].value(at: time)
        guard index + 1 < knots.count, !knots[index + 1].isStep else { return value }
        return min(value, knots[index + 1].value)
    }
}
