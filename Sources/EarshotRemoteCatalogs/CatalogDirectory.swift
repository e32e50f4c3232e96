public import EarshotCore
public import Foundation

/// The catalogs that a publisher offers at one address, as they are known before any of them is fetched.
///
/// A directory is a file of JSON beside the catalogs: see `Docs/remote-catalogs.md`. It tells of each catalog the SHA-256 and the
/// signature of that, so that ``Entry/isSigned(by:)`` says whose it is without its bytes.
public struct CatalogDirectory: Hashable, Sendable {
    /// The name of the file: `catalogs.json`.
    public static let fileName = "catalogs.json"
    /// The most catalogs of a directory: 10,000.
    public static let limit = 10_000

    /// A catalog of the directory.
    public struct Entry: Hashable, Sendable {
        /// The name of the file, beside the directory: `music.earcat`.
        public let file: String
        /// The number of references.
        public let references: Int
        /// The duration of the audio of all references.
        public let duration: MediaTime
        /// The size of the file, in bytes.
        public let size: Int64
        /// The date of the file, in whole seconds.
        public let date: Date
        /// The SHA-256 of the file: 64 hexadecimal digits in lower case.
        public let sha256: String
        /// The signature of the SHA-256, in Base64; `nil` if the catalog is not signed.
        public let signature: String?
        /// The key that the publisher says it is signed with; `nil` if none is told. ``isSigned(by:)`` proves it.
        public let signer: PublisherKey?

        /// Returns `true` if the catalog with this SHA-256 was signed with the secret half of a key.
        public func isSigned(by key: PublisherKey) -> Bool {
            guard let signature, let digest = ContentDigest(text: sha256) else { return false }
            return (try? key.verify(digest, signature: signature, name: file)) != nil
        }
    }

    /// The catalogs, by name.
    public let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries.sorted { $0.file < $1.file } }

    /// Returns the address of a catalog of a directory.
    ///
    /// - Parameters:
    ///   - entry: A catalog of the directory.
    ///   - directory: The address of the directory or of its folder, as for ``fetch(_:transport:)``.
    public static func address(of entry: Entry, in directory: URL) -> URL {
        file(at: directory).deletingLastPathComponent().appendingPathComponent(entry.file)
    }

    /// The address of the file of a directory, which may be named by its folder.
    static func file(at address: URL) -> URL {
        address.pathExtension.lowercased() == "json" ? address : address.appendingPathComponent(fileName)
    }
}
