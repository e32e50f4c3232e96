import EarshotBroadcast
package import Foundation

/// The state of a monitor of stations, for other programs on the same machine.
package struct MonitorStatus: Hashable, Sendable, Codable {
    /// The state of a station.
    package struct Station: Hashable, Sendable, Codable {
        /// The station.
        package var station: StationDescription
        /// `true` if audio arrives.
        package var isLive = false
        /// The date of the last audio before the current break; `nil` without a break.
        package var lostSince: Date?
        /// The level of the last second in dBFS, from -120 to 0; `nil` before the first audio and during a break.
        package var level: Double?
        /// The kind of audio from the classifier, such as `music` or `speech`; `nil` until it is known.
        package var kind: String?
        /// The reason of the current break, or of the last fault; `nil` if there is none.
        package var fault: String?
        /// The time from the arrival of the last audio to its analysis, in seconds.
        package var delay = 0.0
        /// The number of plays that ended since the monitor was started.
        package var plays = 0
        /// The number of reconnections since the monitor was started.
        package var reconnects = 0

        /// Creates the state of a station before its first audio.
        package init(_ station: StationDescription) { self.station = station }

        /// Returns a level for JSON, limited to -120 to 0 dBFS and rounded to 0.1; `nil` for `nil`.
        ///
        /// - Parameter level: The level in dBFS. Silence is minus infinity, which JSON cannot represent.
        package static func told(level: Double?) -> Double? {
            level.map { ($0.isFinite ? min(0, max(-120, $0)) : -120) }.map { ($0 * 10).rounded() / 10 }
        }
    }

    /// The interval between two updates, in seconds.
    package static let interval = 2.0
    /// The time without an update after which the monitor counts as ended, in seconds.
    private static let patience = 15.0

    /// The date at which the monitor was started.
    package var started: Date
    /// The date of this update.
    package var date: Date
    /// `true` if the monitor ended regularly.
    package var hasEnded = false
    /// The stations, in the order of the settings.
    package var stations: [Station]

    /// Creates the state of a monitor.
    package init(started: Date, date: Date, stations: [Station]) {
        (self.started, self.date, self.stations) = (started, date, stations)
    }

    /// Returns `true` if the monitor runs.
    ///
    /// - Parameter now: The current time. A clock that was set back does not end a monitor.
    package func isRunning(at now: Date) -> Bool { !hasEnded && now.timeIntervalSince(date) < Self.patience }
}
