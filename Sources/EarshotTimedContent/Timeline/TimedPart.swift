public import EarshotCatalogs
public import EarshotCore

/// A part of an entry that appears at an instant of its own: one side of an equation, a word of a line.
public struct TimedPart: Hashable, Sendable, Identifiable {
    /// Its name, given once within the entry: 1 to 256 bytes.
    public var id: String
    /// What is shown, where that is text.
    public var title: String?
    /// When it appears: a position in the reference, within the entry.
    public var start: MediaTime
    /// What the app wants to know about it.
    public var payload: [String: PropertyValue]

    /// A part of an entry.
    ///
    /// - Parameters:
    ///   - id: Its name within the entry.
    ///   - title: What is shown.
    ///   - start: When it appears in the reference.
    ///   - payload: What the app wants to know about it.
    public init(id: String, title: String? = nil, start: MediaTime, payload: [String: PropertyValue] = [:]) {
        self.id = id
        self.title = title
        self.start = start
        self.payload = payload
    }
}
