import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition

/// The parts of the description that say what JSON holds, by JSON Schema.
enum Schemas {
    /// A schema of a name.
    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// A list of what a name stands for.
    static func list(_ name: String) -> JSONValue { ["type": "array", "items": reference(name)] }

    static let flag: JSONValue = ["type": "string", "enum": ["0", "1", "true", "false"]]
    static let text: JSONValue = ["type": "string"]
    static let number: JSONValue = ["type": "number"]
    static let integer: JSONValue = ["type": "integer"]
    static let truth: JSONValue = ["type": "boolean"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]

    /// The parameters of a part of a longer list.
    static func page(limit: Int, default standard: Int) -> [Endpoint.Parameter] {
        [
            Endpoint.Parameter(
                name: "offset",
                schema: ["type": "integer", "minimum": 0, "maximum": 10_000, "default": 0],
                summary: "Leave out so many of the first."
            ),
            Endpoint.Parameter(
                name: "limit",
                schema: ["type": "integer", "minimum": 1, "maximum": .integer(limit), "default": .integer(standard)],
                summary: "How many, at most."
            ),
        ]
    }

    /// The parameters that say what an answer is to hold.
    static func preferences(withSingle: Bool) -> [Endpoint.Parameter] {
        func flag(_ name: String, _ summary: String) -> Endpoint.Parameter {
            Endpoint.Parameter(name: name, schema: Schemas.flag, summary: summary)
        }
        let levels = DescriptorKind.allCases.map { kind in
            Endpoint.Parameter(
                name: "\(kind.rawValue)Level",
                schema: ["type": "string", "enum": ["DEFAULT", "EXTENDED"], "default": "DEFAULT"],
                summary: "How much is told of \(kind.rawValue): one descriptor, or all from broad to narrow."
            )
        }
        var list = [
            Endpoint.Parameter(name: "country", schema: text, summary: "The country whose genres are wanted: JPN."),
            Endpoint.Parameter(name: "lang", schema: text, summary: "The language of names and texts: jpn."),
            flag("coverArt", "1: with the address of the cover."),
            Endpoint.Parameter(
                name: "sizes",
                schema: text,
                summary:
                    "The sizes of pictures in order of preference, of THUMBNAIL (75 pixels), SMALL (170), MEDIUM (450), LARGE (720), XLARGE (1080); the first that there is."
            ),
            flag("genreArt", "0: without art that stands for the genre where there is no cover."),
            flag("artistImages", "1: with the address of a picture of the artist."),
            flag("biography", "1: with the artist's biography."),
            flag("review", "1: with the album's review."),
            flag("mood", "1: with the track's mood."),
            flag("tempo", "1: with the track's tempo."),
            flag("origin", "1: with origin, era and type of the artist."),
            flag("era", "1: with origin, era and type of the artist."),
            flag("artistType", "1: with origin, era and type of the artist."),
            Endpoint.Parameter(
                name: "preferredSource",
                schema: text,
                summary: "Prefer what has an identifier in this catalog."
            ),
        ]
        if withSingle { list.append(flag("single", "0: up to ten matches in place of the best one.")) }
        return list + levels
    }

    /// An object; members with a question mark behind their name may be missing.
    static func object(_ members: [(String, JSONValue)], isClosed: Bool = false) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        var required: [JSONValue] = []
        for (name, schema) in members {
            let isOptional = name.hasSuffix("?")
            let name = isOptional ? String(name.dropLast()) : name
            properties[name] = schema
            if !isOptional { required.append(.string(name)) }
        }
        var object: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object["required"] = .array(required) }
        if isClosed { object["additionalProperties"] = false }
        return .object(object)
    }

    static func described(_ schema: JSONValue, _ text: String) -> JSONValue {
        guard case .object(var members) = schema else { return schema }
        members["description"] = .string(text)
        return .object(members)
    }

    static func choice(_ names: [String]) -> JSONValue {
        ["type": "string", "enum": .array(names.map { .string($0) })]
    }

    private static let entitlements: JSONValue = [
        "type": "array", "items": choice(Entitlement.allCases.map(\.rawValue)),
    ]

    /// Every schema that has a name.
    static let all: [String: JSONValue] = {
        var schemas = matches.merging(broadcasts) { $1 }.merging(albums) { $1 }
            .merging(coverArt) { $1 }.merging(media) { $1 }.merging(pieces) { $1 }
        schemas["Failure"] = object([
            (
                "error",
                object([
                    ("code", described(text, "The stable name of the failure.")), ("message", text),
                    ("requestID?", text),
                    ("violations?", described(list("DraftViolation"), "All that is wrong with the draft of a piece.")),
                ])
            )
        ])
        schemas["TokenRequest"] = object([
            (
                "client",
                described(text, "The client identifier: ID-TAG; where a user is named, the ID alone is enough.")
            ), ("user?", described(text, "The serialised form of a user.")),
        ])
        schemas["TokenAnswer"] = object([
            ("token", text), ("type", text), ("expiresIn", described(integer, "In seconds.")), ("client", text),
            ("entitlements", entitlements),
        ])
        schemas["Quota"] = object([("limit?", integer), ("used", integer), ("resets", time)])
        schemas["UserRecord"] = object([
            ("id", text), ("serialised?", text), ("created", time), ("quota", reference("Quota")),
        ])
        let limit: JSONValue = ["type": "integer", "minimum": 0, "maximum": 1_000_000_000]
        schemas["ClientRecord"] = object([
            ("id", text), ("identifier?", text), ("name", text), ("entitlements", entitlements), ("quota?", integer),
            ("userQuota?", integer), ("userLimit?", described(integer, "How many users it may register.")),
            ("modules", modules), ("searchOrder", searchOrder), ("mayChangeReferences", truth), ("isEnabled", truth),
            ("created", time),
        ])
        schemas["ClientChange"] = object([
            ("name?", ["type": "string", "maxLength": 200]), ("entitlements?", entitlements), ("quota?", limit),
            ("userQuota?", limit), ("userLimit?", limit), ("modules?", modules), ("searchOrder?", searchOrder),
            ("mayChangeReferences?", truth), ("isEnabled?", truth),
        ])
        schemas["HistoryEntry"] = object([
            ("id", integer), ("date", time), ("kind", text), ("match", reference("MusicMatch")),
        ])
        schemas["HistoryPage"] = object([("entries", list("HistoryEntry")), ("offset", integer), ("total", integer)])
        schemas["ReferenceRecord"] = object([
            ("id", text), ("duration", described(number, "In seconds.")), ("title?", text), ("artist?", text),
            ("trackID?", text),
        ])
        schemas["ReferencePage"] = object([
            ("references", list("ReferenceRecord")), ("offset", integer), ("total", integer),
        ])
        schemas["CatalogVersion"] = object([
            ("name", text), ("version", integer), ("size", integer), ("references", integer), ("sha256", text),
        ])
        schemas["JobRequest"] = object([
            ("kind", choice(JobRequest.Kind.allCases.map(\.rawValue))), ("url?", text), ("id?", text),
            ("item?", ["type": "object", "additionalProperties": text]),
        ])
        schemas["JobRecord"] = object([
            ("id", text), ("kind", text), ("state", choice(JobRecord.State.allCases.map(\.rawValue))),
            ("progress", number), ("result?", text),
            ("error?", object([("code", text), ("message", text), ("requestID?", text)])), ("created", time),
            ("finished?", time),
        ])
        schemas["LyricList"] = object([
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
        ])
        schemas["Text"] = object([("paragraphs", texts), ("attribution?", text)])
        return schemas
    }()

    private static var matches: [String: JSONValue] {
        let descriptors = list("Descriptor")
        return [
            "Descriptor": object([
                ("id", described(text, "For programs: the same in every language.")),
                ("name", described(text, "For showing.")),
            ]),
            "ExternalLink": object([("source", text), ("id", text), ("address?", text)]),
            "ContentImage": object([
                ("url", described(text, "Where the bytes are; valid for a limited time.")),
                ("size", choice(ImageSize.allCases.map(\.rawValue))), ("mimeType", text), ("isGenreArt", truth),
                ("attribution?", text),
            ]),
            "Placement": described(
                object([
                    ("reference", text), ("confidence", number), ("offset", number), ("queryBegin", number),
                    ("queryEnd", number), ("referenceBegin", number), ("referenceEnd", number), ("speedSkew", number),
                    ("pitchSkew", number),
                ]),
                "How the recording lies on the reference; times in seconds."
            ),
            "MusicMatch": object([
                ("trackID?", text), ("trackTitle?", text), ("trackTitleReading?", text),
                ("trackNumber?", described(integer, "Counted from 1; left out where there is none.")),
                ("discNumber?", described(integer, "Of albums of several media: the track's, counted from 1.")),
                ("discTrackCount?", described(integer, "How many tracks the track's medium has.")),
                ("trackDuration?", described(number, "In seconds.")), ("trackGenre", descriptors),
                ("trackLinks?", list("ExternalLink")), ("trackIdentifiers?", texts), ("credits?", list("ArtistCredit")),
                ("songPosition?", described(integer, "Where in the track the recording began, in milliseconds.")),
                ("mood", descriptors), ("tempo", descriptors), ("artistID?", text), ("artist?", text),
                ("artistAlternates?", texts), ("artistReading?", text), ("origin", descriptors), ("era", descriptors),
                ("artistType", descriptors), ("artistBiography?", texts), ("artistBiographyURL?", text),
                ("contributorImage?", reference("ContentImage")), ("albumID?", text), ("albumTitle?", text),
                ("albumTitleReading?", text), ("albumArtist?", text), ("albumArtistAlternates?", texts),
                ("albumArtistReading?", text), ("albumReleaseYear?", text),
                ("albumTrackCount?", described(integer, "Left out where it is not known.")),
                ("discCount?", described(integer, "Of albums of several media.")), ("albumIdentifiers?", texts),
                ("albumGenre", descriptors),
                ("albumLinks?", list("ExternalLink")), ("albumReview?", texts), ("albumReviewURL?", text),
                ("coverArt?", reference("ContentImage")), ("placement?", reference("Placement")), ("score?", number),
            ]),
            "ArtistCredit": object([
                ("artist?", described(text, "The identifier of the artist.")), ("name", text),
                ("joint", described(text, "What stands between this name and the next.")),
                ("role", choice(ArtistCredit.Role.allCases.map(\.rawValue))),
            ]),
            "MatchList": object([("matches", list("MusicMatch"))]),
        ]
    }
}
