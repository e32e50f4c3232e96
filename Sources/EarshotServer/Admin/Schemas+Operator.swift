import EarshotCore

extension Schemas {
    /// The schemas of the state of the service, its log, settings and sessions.
    static var operation: [String: JSONValue] {
        [
            "AdminSession": object([
                ("id", text), ("isOperator", truth),
                ("name?", described(text, "The author's; left out for the operator.")),
                ("user?", text), ("began", time), ("used", time),
                ("ends", described(time, "When it ends if it is not used any more.")),
                ("agent", described(text, "The browser, as it names itself.")), ("address?", text),
                ("isCurrent", described(truth, "Whether the request comes from it.")),
            ]),
            "LogPage": object([
                (
                    "lines",
                    [
                        "type": "array",
                        "items": object([
                            ("number", integer), ("time", time), ("level", text), ("message", text),
                            ("metadata", ["type": "object", "additionalProperties": text]),
                        ]),
                    ]
                ), ("last", described(integer, "The number of the last line, for the next request.")),
            ]),
            "SettingList": object([
                (
                    "settings",
                    [
                        "type": "array",
                        "items": object([
                            ("name", text), ("variable", described(text, "The variable of the environment.")),
                            ("value?", text), ("source", choice(SettingRecord.Source.allCases.map(\.rawValue))),
                        ]),
                    ]
                ), ("file?", described(text, "The file that settings were read from.")),
            ]),
            "StateSample": object([
                ("time", time),
                (
                    "answers",
                    described(
                        ["type": "array", "items": integer],
                        "Since the sample before, by the first digit of their status, from 1 to 5."
                    )
                ), ("recognitions", integer), ("median?", described(number, "Of recognitions, in seconds.")),
                ("slow?", described(number, "What 95 of 100 recognitions did not exceed, in seconds.")),
                ("running", integer), ("waiting", integer), ("memory?", described(integer, "Resident, in bytes.")),
                ("processors", number), ("connections", integer), ("files?", integer),
            ]),
            "Latency": described(
                object([("count", integer), ("median?", number), ("p95?", number), ("p99?", number)]),
                "Of the last five minutes, in seconds, as exact as the parts of the histogram in /metrics are."
            ),
            "Load": object([("running", integer), ("waiting", integer)]),
            "ServiceState": object([
                ("now", time), ("began", time), ("current", reference("StateSample")),
                ("samples", list("StateSample")), ("interval", described(number, "Of samples, in seconds.")),
                ("answers", ["type": "array", "items": integer]), ("latency", reference("Latency")),
                ("recognitionLatency", reference("Latency")),
                ("disk?", object([("size", integer), ("free", integer), ("reserve", integer)])),
                ("jobs", reference("Load")), ("exports?", reference("Load")), ("analyses?", reference("Load")),
                (
                    "served",
                    object([
                        ("references", integer), ("catalogSize", integer), ("isChangeable", truth),
                        (
                            "music",
                            object([
                                ("artists", integer), ("albums", integer), ("tracks", integer), ("lyrics", integer),
                                ("pictures", integer),
                            ])
                        ), ("clients", integer), ("publishedCatalogs", integer), ("mediaFolders", texts),
                        ("mediaFiles", integer),
                    ])
                ), ("errors", described(integer, "Lines of the log that tell of errors, of those that are kept.")),
            ]),
        ]
    }

    /// The schemas of imports, backups and the editing of tracks.
    static var imports: [String: JSONValue] {
        [
            "BackupRecord": object([
                ("name", text), ("date?", time), ("size", described(integer, "The bytes of all files.")),
                ("files", integer),
            ]),
            "ImportReport": object([
                ("lines", described(integer, "Lines of a table, or references of a catalog.")),
                ("changes", described(integer, "Entries that were written, or references that were added.")),
                ("rejected", described(integer, "Lines that were passed over, or references that were there already.")),
                (
                    "rejects",
                    [
                        "type": "array",
                        "items": object([("line", integer), ("reason", text), ("content?", text)]),
                    ]
                ),
                (
                    "unknown",
                    described(
                        ["type": "object", "additionalProperties": ["type": "object"]],
                        "Texts that name no descriptor, with how often they stood there, by the kind of descriptor."
                    )
                ),
            ]),
            "LyricsRecord": object([
                ("artist", text), ("title", text), ("lines", integer),
                ("tracks", described(texts, "None if the words wait for a track.")),
            ]),
            "TrackRecord": object([
                ("id", text), ("title", text), ("artist", text), ("artistID?", text), ("album?", text),
                ("albumID?", text), ("number?", integer), ("date?", text), ("genres", texts), ("duration?", number),
                ("albumTracks?", described(integer, "The number of tracks of the album.")), ("identifiers", texts),
            ]),
            "TrackChange": object([
                ("title?", text), ("artist?", text),
                ("album?", described(text, "The title, for all tracks of the album.")),
                ("date?", described(text, "Of the album: 1999, 1999-05 or 1999-05-31; empty for none.")),
                ("genres?", described(texts, "Names of the taxonomy of genres.")),
            ]),
        ]
    }
}
