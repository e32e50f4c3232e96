import EarshotCore

extension Schemas {
    /// The schemas of lyrics and texts.
    static var search: [String: JSONValue] {
        [
            "LyricList": object([
                (
                    "lyrics",
                    [
                        "type": "array",
                        "items": object([
                            ("language?", text),
                            ("lines", ["type": "array", "items": object([("text", text), ("start?", number)])]),
                            ("attribution?", text),
                        ]),
                    ]
                )
            ]),
            "Text": object([("paragraphs", texts), ("attribution?", text)]),
        ]
    }
}
