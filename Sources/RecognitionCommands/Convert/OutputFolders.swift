import Foundation
import Synchronization

/// The folders that a batch makes for its results.
final class OutputFolders: Sendable {
    /// Each after those that it lies in.
    private let paths = Mutex<[String]>([])

    /// Makes a folder and those that lead to it, as far as they are not there.
    func make(_ folder: URL) {
        paths.withLock { paths in
            var missing: [String] = []
            var url = folder.standardizedFileURL
            while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
                missing.append(url.path)
                url.deleteLastPathComponent()
            }
            // Where that is not possible, writing into it says why.
            for path in missing.reversed() where mkdir(path, 0o777) == 0 { paths.append(path) }
        }
    }

    /// Removes those in which there is nothing.
    func removeEmpty() {
        paths.withLock { paths in
            // A folder with something in it stays: the system refuses.
            for path in paths.reversed() { rmdir(path) }
            paths = []
        }
    }
}
