public import EarshotCatalogs
public import EarshotCore

/// A part of an entry that appears at an instant of its own: one side of an equation, a word of a line.
public struct TimedPart: Hashable, Sendable, Identifiable {
    /// Its name, given once within the entry: 1 to 256 bytes.
    public var id: String
    /// The text to show, if any.
    public var title: String?
    /// The start: a position in the reference, within the entry.
    public var start: MediaTime
    /// Data for the app.
    public var payload: [String: PropertyValue]

    /// A part of an entry.
    ///
    /// - Parameters:
    ///   - id: Its name within the entry.
    ///   - title: The text to show.
    ///   - start: The start, as a position in the reference.
    ///   - payload: Data for the app.
    public init(id: String, title: String? = nil, start: MediaTime, payload: [String: PropertyValue] = [:]) {
        self.id = id
        self.title = title
        self.start = start
        self.payload = payload
    }
}
