import EarshotCore
import Foundation

/// Says on which date a moment of a station's stream was heard.
///
/// The least delay of arrival counts. What arrives at once when a stream is opened is older than its arrival: in the first
/// half minute the whole connection is moved back. Later the line is bent, by at most half a percent, so that dates never
/// step back and a stream that drifts against the clock is followed; only a clock that was set makes a step.
struct StationClock: Sendable {
    /// A bend of the line. Dates are in seconds since 1970.
    struct Knot: Hashable, Sendable, Codable {
        var stream: Double
        var date: Double
        /// When what came before this connection ended: nothing of it was heard earlier.
        var floor: Double?
        /// `true` if the clock was set here.
        var isStep: Bool

        var value: Double { max(floor ?? date, date) }

        func value(at time: Double) -> Double { max(floor ?? -.infinity, date + time - stream) }
    }

    /// How long after the begin of a connection it may be moved, in seconds.
    private static let grace = 30.0
    /// Seconds of the stream from bend to bend.
    private static let spacing = 5.0
    /// How much the line is bent.
    private static let slope = 0.005
    /// A difference that cannot be the network's, in seconds.
    private static let step = 2.0
    /// How much of the past is known, in seconds.
    private static let memory = 900.0

    private(set) var knots: [Knot]
    private var delays = CaptureClock()
    /// When the connection gave its first audio, and where that lies in the stream.
    private var connection: (uptime: Double, stream: Double)?
    private var floor: Double?

    init(knots: [Knot] = []) {
        self.knots = knots.filter { $0.stream.isFinite && $0.date.isFinite && $0.floor?.isFinite ?? true }
    }

    /// Another connection follows: nothing of it was heard before the end of the last one.
    mutating func disconnect(at end: Double) {
        (connection, delays) = (nil, CaptureClock())
        if !knots.isEmpty { floor = seconds(at: end) }
    }

    /// Takes note of audio that arrived.
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

    /// The time at which a moment of the stream was heard.
    func date(at time: Double) -> Date { Date(timeIntervalSince1970: seconds(at: time)) }

    private func seconds(at time: Double) -> Double {
        guard let first = knots.first else { return time }
        guard let index = knots.lastIndex(where: { $0.stream <= time }) else { return first.date + time - first.stream }
        let value = knots[index].value(at: time)
        guard index + 1 < knots.count, !knots[index + 1].isStep else { return value }
        return min(value, knots[index + 1].value)
    }
}
