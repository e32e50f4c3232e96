package import Foundation

/// A version of a file that a service offers to clients under a name, and that any of its nodes can send.
package struct Publication: Hashable, Sendable {
    /// The kind of files.
    package enum Kind: String, CaseIterable, Sendable {
        /// A bundle for monitors. Its newest version alone is offered, and the file itself has the number.
        case bundle
        /// A catalog. All versions are offered, counted from 1.
        case catalog
    }

    package var kind: Kind
    package var name: String
    package var version: Int
    /// The number of its bytes.
    package var size: Int
    /// The number of references in it.
    package var references: Int
    /// The SHA-256 digest of its bytes, as hexadecimal digits.
    package var sha256: String
    /// The time at which it was published. A store keeps milliseconds.
    package var date: Date
    /// The key of its bytes in the bucket. No other publication has it, so that nobody puts there what another one removes.
    package var object: String

    /// A publication of bytes that are not yet in the bucket.
    package init(
        _ kind: Kind,
        name: String,
        version: Int = 0,
        size: Int,
        references: Int,
        sha256: String,
        date: Date
    ) {
        (self.kind, self.name, self.version) = (kind, name, version)
        (self.size, self.references, self.sha256, self.date) = (size, references, sha256, date)
        object = "publications/\(kind.rawValue)/\(name)/\(UUID().uuidString.lowercased())"
    }
}
