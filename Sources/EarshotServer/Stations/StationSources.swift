package import EarshotBroadcast
import EarshotCore
package import EarshotStations
package import Foundation

/// The log and the files of a station monitor, which the service shows.
///
/// The monitor is a separate program. The service reads its log and its states, and leaves requests in files that the monitor takes
/// away: to name repeated audio, and to send to a webhook again.
package struct StationSources: Sendable {
    /// The log of plays.
    package var store: any PlaylogStore
    /// The files of states and requests.
    package var folder: MonitorFolder
    /// The folder of the stations' repeats.
    package var repeats: RepeatFolder
    /// The descriptions of the stations, from the settings.
    package var stations: [StationDescription]
    /// The webhooks that receive changes, from the settings.
    package var webhooks: [WebhookStatus]
    /// The time zone of days in reports on several stations.
    package var timeZone: TimeZone

    /// Creates the sources of a station monitor.
    ///
    /// - Parameters:
    ///   - store: The log of plays.
    ///   - folder: The files of states and requests.
    ///   - repeats: The folder of the stations' repeats.
    ///   - stations: The descriptions of the stations, from the settings.
    ///   - webhooks: The webhooks that receive changes, from the settings.
    ///   - timeZone: The time zone of days in reports on several stations.
    package init(
        store: any PlaylogStore,
        folder: MonitorFolder,
        repeats: RepeatFolder,
        stations: [StationDescription],
        webhooks: [WebhookStatus] = [],
        timeZone: TimeZone = .gmt
    ) {
        (self.store, self.folder, self.repeats) = (store, folder, repeats)
        (self.stations, self.webhooks, self.timeZone) = (stations, webhooks, timeZone)
    }
}
