import EarshotCore
import EarshotSQLite
import EarshotServer
import EarshotStations
import Foundation

/// The folder of `earshot monitor run`, of which a service shows the stations.
///
/// Monitor and service are two programs that meet in this folder: each may be started, ended and replaced without the other.
struct WatchedStations {
    private let settings: StationSettings

    /// Reads the settings of the monitor.
    ///
    /// - Parameter path: The file of settings, or a folder with a `stations.json`.
    /// - Throws: `configurationInvalid`.
    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let url = URL(fileURLWithPath: path)
        let file = isThere && isFolder.boolValue ? url.appendingPathComponent("stations.json") : url
        settings = try StationSettings(path: file.path)
    }

    /// The folders in which the monitor keeps things.
    var folders: [URL] {
        [settings.playlog.deletingLastPathComponent(), settings.state, settings.data]
    }

    /// The log, made if the monitor was never started, with the places where monitor and service meet.
    ///
    /// - Throws: What opening the log throws.
    func sources() throws(EarshotError) -> StationSources {
        StationSources(
            store: try SQLitePlaylogStore(url: settings.playlog),
            folder: MonitorFolder(settings.state),
            repeats: settings.repeats,
            stations: settings.descriptions,
            webhooks: settings.receivers,
            timeZone: settings.timeZone
        )
    }
}
