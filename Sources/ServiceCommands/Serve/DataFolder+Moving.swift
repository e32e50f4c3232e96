import EarshotCore
import Foundation

/// The databases of a folder may be moved to PostgreSQL: from then on they are old, and while it lasts nobody changes them.
extension DataFolder {
    /// The name of the file that says to which database the data was moved.
    static let movedName = "moved"
    /// The name of the file that is locked: by those who use the databases together, by a migration alone.
    private static let lockName = "migration.lock"

    private var movedURL: URL { url.appendingPathComponent(Self.movedName) }

    /// Says that the databases in the folder are used from now on, until the program ends.
    ///
    /// - Throws: `storeUnavailable` if their data was moved to PostgreSQL, or just is.
    func useFiles() throws(EarshotError) {
        // Whoever may not write here changes nothing.
        if let descriptor = lockFile(), flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            close(descriptor)
            throw EarshotError(
                .storeUnavailable,
                "The data in \(url.path) is being moved: wait until `earshot admin migrate-data` has ended."
            )
        }
        guard let database = try moved() else { return }
        throw EarshotError(
            .storeUnavailable,
            "The data of \(url.path) was moved to \(database): name that with --database or EARSHOT_DATABASE. To use the old files all "
                + "the same, remove \(movedURL.path)."
        )
    }

    /// Keeps others from using the databases in the folder, until the program ends.
    ///
    /// - Throws: `storeUnavailable` if a command uses them, `writeFailed`.
    func lockFiles() throws(EarshotError) {
        guard let descriptor = lockFile() else {
            throw EarshotError(
                .writeFailed,
                "\(url.appendingPathComponent(Self.lockName).path) cannot be made: check the folder and its rights."
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw EarshotError(
                .storeUnavailable,
                "A command of `earshot admin` works in \(url.path): wait until it has ended."
            )
        }
    }

    /// The file that is locked, opened; `nil` where it cannot be.
    private func lockFile() -> Int32? {
        let path = url.appendingPathComponent(Self.lockName).path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : descriptor
    }

    /// The database to which the data was moved; `nil` if the files in the folder are those to use.
    private func moved() throws(EarshotError) -> String? {
        guard FileManager.default.fileExists(atPath: movedURL.path) else { return nil }
        do {
            return try String(contentsOf: movedURL, encoding: .utf8).trimmingCharacters(in: .newlines)
        } catch {
            throw EarshotError(.readFailed, "\(movedURL.path) cannot be read: check its rights.", cause: error)
        }
    }

    /// Says to which database the data was moved; `nil` when the files in the folder are those to use again.
    func setMoved(to database: String?) throws(EarshotError) {
        if let database {
            return try AtomicFile.write(Array("\(database)\n".utf8), to: movedURL, replacing: true, mode: 0o600)
        }
        guard unlink(movedURL.path) == 0 || errno == ENOENT else {
            throw EarshotError(.writeFailed, "\(movedURL.path) cannot be removed: check the folder and its rights.")
        }
    }
}
