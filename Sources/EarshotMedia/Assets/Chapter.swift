public import EarshotCore

/// A named part of an asset.
public struct Chapter: Hashable, Sendable {
    /// The title of the chapter; `nil` if it has none.
    public let title: String?
    /// The start of the chapter on the asset's timeline.
    public let start: MediaTime
    /// The end of the chapter on the asset's timeline.
    public let end: MediaTime

    /// Creates a chapter.
    public init(title: String?, start: MediaTime, end: MediaTime) {
        self.title = title
        self.start = start
        self.end = end
    }
}
