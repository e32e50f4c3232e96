import EarshotCore
import EarshotPieces

extension Schemas {
    private static let microseconds: JSONValue = described(
        ["type": "integer", "minimum": 0],
        "In microseconds."
    )
    private static let identifier: JSONValue = ["type": "string", "format": "uuid"]
    private static let identifiers: JSONValue = ["type": "array", "items": identifier]
    private static let likelihood: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]
    private static let visibility: JSONValue = choice(Piece.Visibility.allCases.map(\.rawValue))

    /// The members that a draft and a piece have in common.
    private static var draft: [(String, JSONValue)] {
        [
            ("title", described(text, "1 to 50 code points.")), ("length", microseconds),
            ("tempo?", described(number, "Beats a minute, 1 to 999.999.")),
            ("loop?", object([("start", microseconds), ("end", microseconds)])),
            ("timeSignature?", object([("upper", integer), ("lower", integer)])),
        ]
    }

    /// The schemas of pieces.
    static var pieces: [String: JSONValue] {
        [
            "Tonality": object([
                ("state", choice(["unknown", "atonal", "tonal"])),
                (
                    "scale?",
                    described(["type": "array", "items": truth], "Whether each pitch class from C to B is in it.")
                ),
                ("root?", described(["type": "integer", "minimum": 0, "maximum": 11], "Semitones above C.")),
            ]),
            "Piece": object(
                draft + [
                    ("id", identifier), ("description", text), ("createdAt", time), ("address", text),
                    ("author", text), ("basedOn", identifiers), ("tonality", reference("Tonality")),
                    ("label", described(text, "What the key is called.")),
                    ("legacyLabel?", described(text, "What older services called the key.")),
                    ("visibility", visibility), ("hasCover", truth), ("hasPreview", truth),
                    ("attachmentName?", text),
                    ("stems", described(texts, "The names of the stems besides the mix.")),
                ]
            ),
            "PieceCreation": object(
                draft + [
                    ("basedOn?", identifiers), ("tonality?", reference("Tonality")),
                    (
                        "rootSpelling?",
                        described(text, "How the root of the key is spelt, such as C#, where it is not as usual.")
                    ),
                    ("description?", text),
                    ("visibility?", visibility), ("parts?", list("PartAnnouncement")),
                ]
            ),
            "PartAnnouncement": object([
                ("kind", choice(PartKind.allCases.map(\.rawValue))),
                ("name?", described(text, "Of a stem besides the mix.")), ("size", integer),
                ("sha256", described(text, "64 hexadecimal digits in lower case.")),
                ("format?", choice(StemFormat.allCases.map(\.rawValue))), ("fileName?", text), ("mediaType?", text),
            ]),
            "UploadState": object([
                ("id", text), ("kind", choice(PartKind.allCases.map(\.rawValue))), ("name?", text), ("size", integer),
                ("received", described(integer, "How many bytes are there: where to go on.")), ("isComplete", truth),
            ]),
            "PieceCreated": object([
                ("id", identifier), ("uploads", list("UploadState")), ("warnings", list("DraftWarning")),
            ]),
            "PieceDrop": object([
                ("id", identifier), ("isPublished", truth), ("draft", reference("PieceCreation")),
                ("description", text),
                ("visibility", visibility), ("uploads", list("UploadState")), ("warnings", list("DraftWarning")),
            ]),
            "AudioWarning": object([
                ("code", choice(AudioWarning.Code.allCases.map(\.rawValue))), ("declared", text), ("measured", text),
                ("reason", text),
            ]),
            "PieceHearing": object([
                (
                    "heard",
                    object([
                        ("length", microseconds),
                        (
                            "seam?",
                            object([
                                ("levelJump", described(number, "In decibels.")),
                                ("waveJump", described(number, "Of full scale.")), ("isLevelSmooth", truth),
                                ("isWaveSmooth", truth),
                            ])
                        ),
                        (
                            "tempo?",
                            object([("beatsPerMinute", number), ("confidence", likelihood), ("alternative?", number)])
                        ), ("key?", object([("tonality", reference("Tonality")), ("confidence", likelihood)])),
                    ])
                ), ("keyLabel?", described(text, "What the key is called.")), ("warnings", list("AudioWarning")),
            ]),
            "DraftWarning": object([
                ("code", choice(DraftWarning.Code.allCases.map(\.rawValue))), ("reason", text),
            ]),
            "DraftViolation": object([
                ("code", choice(DraftViolation.Code.allCases.map(\.rawValue))),
                ("field", choice(DraftViolation.Field.allCases.map(\.rawValue))), ("reason", text),
            ]),
            "PieceChange": object([("title?", text), ("description?", text), ("visibility?", visibility)]),
            "PiecePage": object([("pieces", list("Piece")), ("offset", integer), ("total", integer)]),
            "RelativeList": object([
                (
                    "relatives",
                    [
                        "type": "array",
                        "items": object([
                            ("id", identifier), ("distance", integer), ("isRemoved", truth), ("title?", text),
                            ("author?", text), ("basedOn", identifiers),
                        ]),
                    ]
                )
            ]),
            "PieceFindings": object([
                ("isComplete", described(truth, "Whether the piece was listened to already.")),
                (
                    "contains",
                    [
                        "type": "array",
                        "items": object([
                            ("source", choice(["catalog", "piece"])), ("id", text), ("title?", text),
                            ("artist?", text), ("stem?", described(text, "Where it is not heard in the mix.")),
                            ("isPreview?", described(truth, "Whether it is heard in the preview alone.")),
                            ("start", number), ("end", number), ("sourceStart", number),
                            ("speedSkew", number), ("pitchSkew", number), ("confidence", likelihood),
                        ]),
                    ]
                ),
                ("warnings", list("AudioWarning")),
                (
                    "unheard?",
                    [
                        "type": "array", "items": text,
                        "description": "What could not be listened to: mix, preview, or the name of a stem.",
                    ]
                ),
            ]),
            "PieceMatches": object([
                (
                    "matches",
                    [
                        "type": "array",
                        "items": object([
                            ("piece", reference("Piece")), ("offset", described(number, "In seconds.")),
                            ("speedSkew", number), ("confidence", likelihood),
                        ]),
                    ]
                )
            ]),
            "ModerationPage": object([
                (
                    "entries",
                    [
                        "type": "array",
                        "items": object([("piece", reference("Piece")), ("findings", reference("PieceFindings"))]),
                    ]
                ), ("offset", integer), ("total", integer),
            ]),
        ]
    }
}
