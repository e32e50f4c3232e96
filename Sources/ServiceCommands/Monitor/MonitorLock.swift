import EarshotCore
import Foundation

/// Keeps two monitors from writing one playlog, or one folder of states or data, at once: each would end and withdraw the plays of
/// the other, and remove what it does not know.
///
/// The locks are on files of their own beside what they are for, which stay; a lock is gone with the process that holds it.
final class MonitorLock {
    private let descriptors: [Int32]

    /// Holds a playlog, and the folders of states and of what is kept beside the log, where there are any.
    ///
    /// - Throws: `storeUnavailable` when another monitor holds one of them, `writeFailed` where no lock can be made.
    init(playlog: URL, state: URL? = nil, data: URL? = nil) throws(EarshotError) {
        var locks = [
            (URL(fileURLWithPath: playlog.resolvingSymlinksInPath().path + ".lock"), "the playlog \(playlog.path)")
        ]
        for (folder, what) in [(state, "state"), (data, "data")] {
            guard let folder else { continue }
            locks.append(
                (
                    folder.resolvingSymlinksInPath().appendingPathComponent("monitor.lock"),
                    "the \(what) in \(folder.path)"
                )
            )
        }
        var held: [Int32] = []
        do throws(EarshotError) {
            var paths: Set<String> = []
            // State and data may lie in one folder, which is locked once.
            for (url, what) in locks where paths.insert(url.standardizedFileURL.path).inserted {
                held.append(try Self.hold(url, what))
            }
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
                "Another monitor uses \(what) already, or it is being moved: end that first, or name another playlog, state and data in the "
                    + "settings."
            )
        }
        return descriptor
    }
}
