import EarshotAPI
import Synchronization

/// Files of pages as gzip, each compressed at its first request.
final class PackedFiles: Sendable {
    private let packed = Mutex<[String: [UInt8]]>([:])

    /// Returns a file as gzip; `nil` if it cannot be compressed.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: The contents of the file.
    func packed(_ name: String, _ bytes: [UInt8]) -> [UInt8]? {
        if let known = packed.withLock({ $0[name] }) { return known }
        guard let made = try? CompressedBody.packed(bytes) else { return nil }
        packed.withLock { $0[name] = made }
        return made
    }
}
