import EarshotBroadcast
package import Foundation

/// The state of a monitor of stations, as it tells other programs on the same machine.
package struct MonitorStatus: Hashable, Sendable, Codable {
    /// The state of a station.
    package struct Station: Hashable, Sendable, Codable {
        /// The station.
        package var station: StationDescription
        /// `true` if audio arrives.
        package var isLive = false
        /// The date of the last audio before the break that goes on; `nil` while there is no break.
        package var lostSince: Date?
        /// The level of the last second in dBFS, -120 to 0; `nil` before the first audio and during a break.
        package var level: Double?
        /// The kind of audio, as the classifier tells it: `music`, `speech` and the like; `nil` before it is known.
        package var kind: String?
        /// The reason of the break that goes on, or of the last fault; `nil` if there is none.
        package var fault: String?
        /// Seconds for which the last audio waited until it was analyzed.
        package var delay = 0.0
        /// Plays that ended since the monitor was started.
        package var plays = 0
        /// Reconnections since the monitor was started.
        package var reconnects = 0

        /// The state of a station before its first audio.
        package init(_ station: StationDescription) { self.station = station }

        /// A level as it is told; `nil` for `nil`.
        ///
        /// - Parameter level: In dBFS. Silence has minus infinity, which JSON lacks.
        package static func told(level: Double?) -> Double? {
            level.map { ($0.isFinite ? min(0, max(-120, $0)) : -120) }.map { ($0 * 10).rounded() / 10 }
        }
    }

    /// Seconds between two updates.
    package static let interval = 2.0
    /// Seconds without an update after which the monitor counts as ended.
    private static let patience = 15.0

    /// The date at which the monitor was started.
    package var started: Date
    /// The date of this update.
    package var date: Date
    /// `true` if the monitor has ended in good order.
    package var hasEnded = false
    /// The stations, in the order of the settings.
    package var stations: [Station]

    /// The state of a monitor.
    package init(started: Date, date: Date, stations: [Station]) {
        (self.started, self.date, self.stations) = (started, date, stations)
    }

    /// Returns whether the monitor runs.
    ///
    /// - Parameter now: The present instant. A clock that was put back does not end a monitor.
    package func isRunning(at now: Date) -> Bool { !hasEnded && now.timeIntervalSince(date) < Self.patience }
}
