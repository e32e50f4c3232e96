import EarshotCore
import Foundation

/// The right to change an index: one holder at a time, in any process.
final class FingerprintIndexLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `storeUnavailable` when somebody else holds it; `writeFailed` when the folder cannot be made.
    init(_ folder: URL) throws(EarshotError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder \(folder.path) cannot be made: check that the folder above it exists and may be written.",
                cause: error
            )
        }
        let path = folder.appendingPathComponent("lock").path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw EarshotError(.writeFailed, "\(path) cannot be written: check the rights of the folder.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw EarshotError(
                .storeUnavailable,
                "The fingerprint index at \(folder.path) is being changed by somebody else: wait until that is done."
            )
        }
    }

    deinit { FileLock.release(descriptor) }
}
