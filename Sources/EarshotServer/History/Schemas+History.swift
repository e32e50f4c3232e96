import EarshotCore

extension Schemas {
    /// The schemas of histories.
    static var history: [String: JSONValue] {
        [
            "HistoryEntry": object([
                ("id", integer), ("date", time), ("kind", text), ("match", reference("MusicMatch")),
                ("place?", reference("HistoryPlace")),
            ]),
            "HistoryPlace": object([
                (
                    "latitude",
                    described(["type": "number", "minimum": -90, "maximum": 90], "Degrees north of the equator.")
                ),
                (
                    "longitude",
                    described(["type": "number", "minimum": -180, "maximum": 180], "Degrees east of Greenwich.")
                ),
                ("accuracy?", described(["type": "number", "minimum": 0], "The radius around it, in metres.")),
            ]),
            "HistoryPage": object([("entries", list("HistoryEntry")), ("offset", integer), ("total", integer)]),
        ]
    }
}
