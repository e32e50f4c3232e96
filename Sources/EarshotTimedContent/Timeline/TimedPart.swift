public import EarshotCatalogs
public import EarshotCore

/// A part of an entry that appears at its own time: one side of an equation, a word of a line.
public struct TimedPart: Hashable, Sendable, Identifiable {
    /// The identifier of the part, unique within the entry: 1 to 256 bytes of UTF-8.
    public var id: String
    /// The text to show; `nil` for none.
    public var title: String?
    /// The start: a position in the reference, within the entry.
    public var start: MediaTime
    /// Data for the app; empty for none.
    public var payload: [String: PropertyValue]

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - id: The identifier, unique within the entry.
    ///   - title: The text to show; `nil` for none.
    ///   - start: The start, as a position in the reference.
    ///   - payload: Data for the app.
    public init(id: String, title: String? = nil, start: MediaTime, payload: [String: PropertyValue] = [:]) {
        self.id = id
        self.title = title
        self.start = start
        self.payload = payload
    }
}
