import EarshotCore

extension Schemas {
    /// The schemas of histories.
    static var history: [String: JSONValue] {
        [
            "HistoryEntry": object([
                ("id", integer), ("date", time), ("kind", text), ("match", reference("MusicMatch")),
            ]),
            "HistoryPage": object([("entries", list("HistoryEntry")), ("offset", integer), ("total", integer)]),
        ]
    }
}
