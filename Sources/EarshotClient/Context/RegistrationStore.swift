public import EarshotCore
public import Foundation

/// Stores an app's registration between runs, as text. The text contains a secret of the user: on Apple systems use the
/// keychain.
public protocol RegistrationStore: Sendable {
    /// Returns the stored registration; `nil` if there is none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    func registration() async throws(EarshotError) -> String?
    /// Stores a registration in place of the previous one.
    ///
    /// - Throws: `writeFailed` if the store cannot be written.
    func keep(_ registration: String) async throws(EarshotError)
}

/// A store of one registration in a file that only its owner may read.
public struct FileRegistrationStore: RegistrationStore {
    private let url: URL

    /// Creates a store for a file.
    ///
    /// - Parameter url: The file, which need not exist. Its folder must exist.
    public init(_ url: URL) { self.url = url }

    /// Returns the text of the file; `nil` if the file does not exist.
    ///
    /// - Throws: `storeUnavailable` if the file cannot be read.
    public func registration() async throws(EarshotError) -> String? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw EarshotError(.storeUnavailable, "\(url.path) cannot be read: check its rights.")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Replaces the file atomically.
    ///
    /// - Throws: `writeFailed` if the file cannot be written.
    public func keep(_ registration: String) async throws(EarshotError) {
        try AtomicFile.write(Array((registration + "\n").utf8), to: url, replacing: true, mode: 0o600)
    }
}
