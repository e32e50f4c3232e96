public import EarshotCore

/// A named part of an asset.
public struct Chapter: Hashable, Sendable {
    /// Its name, where it has one.
    public let title: String?
    /// The start.
    public let start: MediaTime
    /// The end.
    public let end: MediaTime

    /// A named part.
    public init(title: String?, start: MediaTime, end: MediaTime) {
        self.title = title
        self.start = start
        self.end = end
    }
}
