import EarshotCore

extension Schemas {
    /// The schemas of tracklists.
    static var tracklists: [String: JSONValue] {
        let seconds = described(number, "In seconds.")
        return [
            "TracklistEntry": object([
                ("id", described(text, "The reference.")), ("title?", text), ("artist?", text), ("album?", text),
                ("trackID?", text), ("albumID?", text),
                ("queryBegin", described(number, "When it begins in the recording, in seconds.")),
                ("queryEnd", seconds),
                ("referenceBegin", described(number, "The part of the reference that is heard, in seconds.")),
                ("referenceEnd", seconds), ("referenceDuration?", seconds), ("offset", seconds),
                ("speedSkew", number), ("pitchSkew", number), ("confidence", number),
                (
                    "duplicateOf?",
                    described(text, "The reference of a surer entry before it that the same audio explains as well.")
                ),
            ]),
            "Tracklist": object([
                ("clip", described(text, "The recording, as its sender calls it.")), ("duration", seconds),
                ("matches", described(list("TracklistEntry"), "In order of the recording.")),
                (
                    "unknown",
                    described(
                        ["type": "array", "items": object([("queryBegin", seconds), ("queryEnd", seconds)])],
                        "Where nothing was found for 5 s and more."
                    )
                ),
            ]),
            "TracklistJob": object([
                ("job", reference("JobRecord")), ("name", text),
                ("tracklist?", described(reference("Tracklist"), "Once the job is done; never in lists.")),
            ]),
        ]
    }
}
