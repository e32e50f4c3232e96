package import EarshotBroadcast
import EarshotCore
package import EarshotStations
package import Foundation

/// The folder of a monitor of stations, of which the service shows the log.
///
/// The monitor is a program of its own. The service reads its log and its states, and leaves wishes in files that the monitor takes
/// away: naming repeated audio, and sending to a webhook again.
package struct StationSources: Sendable {
    /// The log of plays.
    package var store: any PlaylogStore
    /// The files of states and wishes.
    package var folder: MonitorFolder
    /// The folder of the stations' repeats.
    package var repeats: RepeatFolder
    /// The stations as settings describe them.
    package var stations: [StationDescription]
    /// The receivers of changes as settings describe them.
    package var webhooks: [WebhookStatus]
    /// The zone of days of several stations.
    package var timeZone: TimeZone

    /// The folder of a monitor.
    ///
    /// - Parameters:
    ///   - store: The log of plays.
    ///   - folder: The files of states and wishes.
    ///   - repeats: The folder of the stations' repeats.
    ///   - stations: The stations as settings describe them.
    ///   - webhooks: The receivers of changes as settings describe them.
    ///   - timeZone: The zone of days of several stations.
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
