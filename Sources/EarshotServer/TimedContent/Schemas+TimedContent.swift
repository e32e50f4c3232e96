import EarshotCore

extension Schemas {
    /// The schemas of timed content.
    static var timedContent: [String: JSONValue] {
        let seconds = described(number, "In seconds.")
        let titled: [(String, JSONValue)] = [("title?", text), ("subtitle?", text)]
        return [
            "ContentSummary": object(
                [("id", text), ("duration", seconds)] + titled + [
                    ("artist?", text), ("entries", integer), ("questions", integer), ("chapters", integer),
                ]
            ),
            "ContentPage": object([
                ("references", list("ContentSummary")), ("offset", integer), ("total", integer),
            ]),
            "ReferenceContent": object(
                [("id", text), ("duration", seconds)] + titled + [
                    ("artist?", text), ("album?", text), ("trackID?", text),
                    (
                        "details",
                        described(
                            ["type": "array", "items": object([("name", text), ("value", text)])],
                            "What else the media item says, under names of its maker's."
                        )
                    ),
                    (
                        "chapters",
                        described(
                            ["type": "array", "items": object([("begin", seconds), ("end", seconds)] + titled)],
                            "The media items that are limited to times."
                        )
                    ),
                    (
                        "timeline?",
                        described(["type": "object"], "The timeline, as Docs/formats/timed-content.md describes it.")
                    ),
                    ("warnings?", described(texts, "What is allowed in the timeline and probably not meant.")),
                    ("isEditable", described(truth, "Whether the sender may change it.")),
                    ("asset?", described(text, "The file of a media folder that the reference was made of.")),
                ]
            ),
        ]
    }
}
