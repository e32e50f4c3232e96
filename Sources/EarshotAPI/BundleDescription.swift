public import Foundation

/// A bundle that a service offers for download.
public struct BundleDescription: Hashable, Sendable, Codable {
    /// Its identifier.
    public var id: String
    /// Its version: a later one takes the place of an earlier one.
    public var version: Int
    /// Its bytes.
    public var size: Int
    /// The number of references.
    public var references: Int
    /// The check sum of its bytes, which is its entity tag too: SHA-256 in hexadecimal digits.
    public var sha256: String
    /// The time of publication.
    public var published: Date

    /// A bundle.
    package init(id: String, version: Int, size: Int, references: Int, sha256: String, published: Date) {
        self.id = id
        self.version = version
        self.size = size
        self.references = references
        self.sha256 = sha256
        self.published = published
    }
}

/// The bundles that a service offers.
package struct BundleList: Hashable, Sendable, Codable {
    /// The bundles, in order of their ids.
    package var bundles: [BundleDescription]

    /// A list.
    package init(_ bundles: [BundleDescription]) { self.bundles = bundles }
}

/// The outcome of the live feed of a channel.
public struct LiveFeedRecord: Hashable, Sendable, Codable {
    /// The channel.
    public var channel: String
    /// Pieces that were taken.
    public var taken: Int
    /// Pieces that were known, came late or are too old.
    public var passed: Int
    /// The end of the channel's last chunk.
    public var end: Date?

    /// A record.
    package init(channel: String, taken: Int, passed: Int, end: Date?) {
        self.channel = channel
        self.taken = taken
        self.passed = passed
        self.end = end
    }
}
