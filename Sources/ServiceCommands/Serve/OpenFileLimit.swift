import EarshotServer
import Foundation
import Logging

/// The most files, connections among them, that the process may have open.
enum OpenFileLimit {
    /// Of them, what stores, decoders and logs need.
    private static let kept = 256
    /// The highest limit that is asked for.
    private static let most = 1 << 16

    /// Settings with as many connections as there are files for, after the system was asked for more.
    static func fitted(_ settings: ServiceSettings, _ logger: Logger) -> ServiceSettings {
        let files = raise()
        let connections = connections(settings.connectionLimit, files: files)
        guard connections < settings.connectionLimit else { return settings }
        var settings = settings
        settings.connectionLimit = connections
        logger.warning("The system grants \(files) open files: \(connections) connections are taken.")
        return settings
    }

    /// The connections that a number of open files has room for: those that are wanted, or fewer.
    static func connections(_ wanted: Int, files: Int) -> Int { min(wanted, max(16, files - kept)) }

    /// Asks for as many as the system grants this user.
    private static func raise() -> Int {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return most }
        let wanted = min(limit.rlim_max, rlim_t(most))
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
