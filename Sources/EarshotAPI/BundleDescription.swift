public import Foundation

/// A bundle (a catalog prepared for devices) that a service offers for download.
public struct BundleDescription: Hashable, Sendable, Codable {
    /// The identifier of the bundle.
    public var id: String
    /// The version of the bundle. A higher version replaces a lower one.
    public var version: Int
    /// The size of the bundle, in bytes.
    public var size: Int
    /// The number of references in the bundle.
    public var references: Int
    /// The SHA-256 digest of the bundle in hexadecimal digits, which is also the entity tag of its download.
    public var sha256: String
    /// The time at which the bundle was published.
    public var published: Date

    /// Creates a description.
    package init(id: String, version: Int, size: Int, references: Int, sha256: String, published: Date) {
        self.id = id
        self.version = version
        self.size = size
        self.references = references
        self.sha256 = sha256
        self.published = published
    }
}

/// The response with the bundles that a service offers.
package struct BundleList: Hashable, Sendable, Codable {
    /// The bundles, ordered by identifier.
    package var bundles: [BundleDescription]

    /// Creates a response.
    package init(_ bundles: [BundleDescription]) { self.bundles = bundles }
}

/// The outcome of a live feed, in which a client sends the audio of a channel as chunks of signatures.
public struct LiveFeedRecord: Hashable, Sendable, Codable {
    /// The identifier of the channel.
    public var channel: String
    /// The number of chunks that the service added to the live references.
    public var taken: Int
    /// The number of chunks that the service ignored, because it had them already, or they were late or too old.
    public var passed: Int
    /// The end of the channel's last chunk; `nil` if there is none.
    public var end: Date?

    /// Creates an outcome.
    package init(channel: String, taken: Int, passed: Int, end: Date?) {
        self.channel = channel
        self.taken = taken
        self.passed = passed
        self.end = end
    }
}
