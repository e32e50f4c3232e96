public import EarshotCore

/// A reference without its signature: its name, duration and media items.
public struct ReferenceSummary: Hashable, Sendable {
    /// The name within the catalog.
    public let id: ReferenceID
    /// The duration of the recording.
    public let duration: MediaTime
    /// The media items that the reference represents.
    public let items: [MediaItem]

    /// Creates a summary of a reference.
    public init(id: ReferenceID, duration: MediaTime, items: [MediaItem]) {
        self.id = id
        self.duration = duration
        self.items = items
    }
}
