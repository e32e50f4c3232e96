import Foundation

/// The identity of the file that a path leads to: a file that was removed and created again has another one.
struct DatabaseFileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Creates the identity of a file; `nil` if there is no file.
    init?(_ url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
