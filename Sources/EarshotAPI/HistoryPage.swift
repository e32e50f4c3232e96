public import EarshotMetadata
public import Foundation

/// What a service recognised for a user.
public struct HistoryRecord: Hashable, Sendable, Codable {
    /// Counted from 1 for each user.
    public var id: Int
    /// When.
    public var date: Date
    /// How: `stream` or `file`.
    public var kind: String
    /// What it was.
    public var match: MusicMatch

    /// A record.
    public init(id: Int, date: Date, kind: String, match: MusicMatch) {
        self.id = id
        self.date = date
        self.kind = kind
        self.match = match
    }
}

/// A part of a user's history, the latest first.
public struct HistoryPage: Hashable, Sendable, Codable {
    /// The records.
    public var entries: [HistoryRecord]
    /// The place of the first, counted from 0.
    public var offset: Int
    /// How many there are in all.
    public var total: Int

    /// A page.
    public init(entries: [HistoryRecord], offset: Int, total: Int) {
        self.entries = entries
        self.offset = offset
        self.total = total
    }
}
