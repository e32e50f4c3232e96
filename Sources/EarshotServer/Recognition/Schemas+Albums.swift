import EarshotAPI
import EarshotCore
import EarshotRecognition

extension Schemas {
    private static let bytes: JSONValue = ["type": "string", "format": "byte"]
    /// The number of a disc or a track. Numbers that no album has are ignored.
    private static let place: JSONValue = [
        "type": "integer", "minimum": -9_007_199_254_740_991, "maximum": 9_007_199_254_740_991,
    ]

    /// The schemas of collections.
    static var albums: [String: JSONValue] {
        [
            "FileAttributes": object([
                ("id", described(text, "The file's name in the answer: one that no other file of the request has.")),
                ("path?", described(texts, "The folders that lead to the file, and its own name.")),
                ("signature?", described(bytes, "What its first 20 s sound like: the bytes of a signature file.")),
                ("fingerprint?", described(text, "A Chromaprint fingerprint of the whole file, compressed.")),
                ("duration?", described(["type": "number", "minimum": 0], "In seconds.")), ("artist?", text),
                ("albumArtist?", text), ("album?", text), ("title?", text), ("trackNumber?", place),
                ("trackCount?", place),
                ("discNumber?", place), ("discCount?", place), ("date?", text), ("genre?", text),
                ("isCompilation?", truth), ("trackID?", text), ("albumID?", text),
                ("identifiers?", described(texts, "Each with its scheme: isrc:GBAYE0601498.")),
            ]),
            "AlbumRequest": object([
                (
                    "files",
                    [
                        "type": "array", "items": reference("FileAttributes"),
                        "maxItems": .integer(AlbumDecisions.fileLimit),
                    ]
                ),
                (
                    "evidence?",
                    described(
                        ["type": "array", "items": choice(AlbumEvidence.named.map(\.name))],
                        "What may be used of what is known of the files; all where it is left out."
                    )
                ),
            ]),
            "MatchReason": object([
                ("kind", choice(MatchReason.Kind.allCases.map(\.rawValue))),
                (
                    "weight",
                    described(["type": "number"], "What it says for the match, in nats; below zero against it.")
                ),
                ("text", described(text, "The reason as an English sentence.")),
                ("code?", described(text, "The stable name of the sentence, to show it in another language.")),
                (
                    "values?",
                    described(
                        ["type": "object", "additionalProperties": text],
                        "The values in the sentence by name."
                    )
                ),
            ]),
            "FileDecision": object([
                ("file", text), ("match?", reference("MusicMatch")),
                ("confidence", described(share, "How sure it is that the file is this track.")),
                (
                    "albumConfidence",
                    described(share, "How sure it is that the track comes from this album, in any of its editions.")
                ),
                ("editionConfidence", described(share, "How sure it is that it comes from this very edition.")),
                ("reasons", described(list("MatchReason"), "Without a match, what came nearest.")),
                ("duplicateOf?", described(text, "Another file of the request that is the same track.")),
                (
                    "isContradictedBySound?",
                    described(
                        ["type": "boolean"],
                        "Whether the catalog has a recording of the track and the file does not sound like it; the confidence is at "
                            + "most 0.55 then."
                    )
                ),
            ]),
            "AlbumDecisions": object([("files", list("FileDecision")), ("searched?", searched)]),
        ]
    }

    private static let share: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]
}
