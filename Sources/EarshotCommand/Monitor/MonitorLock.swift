import EarshotCore
import Foundation

/// Keeps two monitors from writing one playlog, or one folder of states, at once: each would end and withdraw the plays of the
/// other.
///
/// The locks are on files of their own beside what they are for, which stay; a lock is gone with the process that holds it.
final class MonitorLock {
    private let descriptors: [Int32]

    /// Holds a playlog and a folder of states.
    ///
    /// - Throws: `storeUnavailable` when another monitor holds one of them, `writeFailed` where no lock can be made.
    init(playlog: URL, state: URL) throws(EarshotError) {
        let locks = [
            (URL(fileURLWithPath: playlog.resolvingSymlinksInPath().path + ".lock"), "the playlog \(playlog.path)"),
            (state.resolvingSymlinksInPath().appendingPathComponent("monitor.lock"), "the state in \(state.path)"),
        ]
        var held: [Int32] = []
        do throws(EarshotError) {
            for (url, what) in locks { held.append(try Self.hold(url, what)) }
        } catch {
            for descriptor in held { FileLock.release(descriptor) }
            throw error
        }
        descriptors = held
    }

    deinit {
        for descriptor in descriptors { FileLock.release(descriptor) }
    }

    private static func hold(_ url: URL, _ what: String) throws(EarshotError) -> Int32 {
        let folder = url.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EarshotError(.writeFailed, "\(url.path) cannot be made: check the folder and its rights.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw EarshotError(
                .storeUnavailable,
                "Another monitor uses \(what) already: end it first, or name another playlog and state in the settings."
            )
        }
        return descriptor
    }
}
