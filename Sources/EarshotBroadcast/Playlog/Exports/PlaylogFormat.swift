/// A form in which plays are written for others.
public enum PlaylogFormat: String, Hashable, Sendable, CaseIterable {
    /// A table: ``PlayTable``.
    case csv
    /// A JSON object a line, with all that a record holds.
    case jsonLines = "jsonl"
    /// A list for players, extended M3U in UTF-8: plays that are over and have a reference, which is the entry's address.
    case m3u
    /// Lines `hh:mm:ss Artist - Title` under a heading for every channel and day.
    case list = "txt"
}
