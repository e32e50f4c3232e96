/// An export format for plays.
public enum PlaylogFormat: String, Hashable, Sendable, CaseIterable {
    /// A table; see ``PlayTable``.
    case csv
    /// One JSON object a line, with all details of a record.
    case jsonLines = "jsonl"
    /// A playlist, extended M3U in UTF-8. It has the final plays with a reference, which is the address of the entry.
    case m3u
    /// Lines `hh:mm:ss Artist - Title` under a heading for each channel and day.
    case list = "txt"
}
