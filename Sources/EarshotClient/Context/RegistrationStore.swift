public import EarshotCore
public import Foundation

/// Keeps an app's registration between runs. The text contains a secret of the user: on Apple systems use the keychain.
public protocol RegistrationStore: Sendable {
    /// The text that was kept last; `nil` if there is none.
    ///
    /// - Throws: `storeUnavailable`.
    func registration() async throws(EarshotError) -> String?
    /// Keeps a text in place of the one before.
    ///
    /// - Throws: `writeFailed`.
    func keep(_ registration: String) async throws(EarshotError)
}

/// A registration in a file that only its owner may read.
public struct FileRegistrationStore: RegistrationStore {
    private let url: URL

    /// A store.
    ///
    /// - Parameter url: The file; its folder is there.
    public init(_ url: URL) { self.url = url }

    /// The text of the file; `nil` if there is none.
    public func registration() async throws(EarshotError) -> String? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw EarshotError(.storeUnavailable, "\(url.path) cannot be read: check its rights.")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes the file, as a whole or not at all.
    public func keep(_ registration: String) async throws(EarshotError) {
        try AtomicFile.write(Array((registration + "\n").utf8), to: url, replacing: true, mode: 0o600)
    }
}
