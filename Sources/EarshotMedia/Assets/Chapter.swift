public import EarshotCore

/// A named part of an asset.
public struct Chapter: Hashable, Sendable {
    /// Its name, where it has one.
    public let title: String?
    /// When it begins.
    public let start: MediaTime
    /// When it ends.
    public let end: MediaTime

    /// A named part.
    public init(title: String?, start: MediaTime, end: MediaTime) {
        self.title = title
        self.start = start
        self.end = end
    }
}
