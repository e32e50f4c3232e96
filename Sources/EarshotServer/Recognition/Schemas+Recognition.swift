import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition

extension Schemas {
    /// Returns the parameters that choose the content of an answer.
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

    /// The part of the catalog that was searched.
    static var searched: JSONValue {
        described(
            object([
                ("references", described(integer, "The number of references that were searched.")),
                ("of", described(integer, "The number of all references.")),
            ]),
            "The part of the catalog that was searched, if some of it could not be: others may match too. Left out if all was searched."
        )
    }

    /// The schemas of matches.
    static var matches: [String: JSONValue] {
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
                    (
                        "sharedMaterial?",
                        object([
                            ("lowestFrequency?", number), ("highestFrequency?", number), ("begin?", number),
                            ("end?", number),
                        ])
                    ),
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
            "RecordingLandmark": object([
                ("time", described(number, "In seconds from the begin of the recording.")),
                ("frequency", described(number, "In hertz.")),
                ("isShared", described(truth, "Whether the reference of the best match has it too.")),
            ]),
            "MatchList": object([
                ("matches", list("MusicMatch")),
                (
                    "historyEntry?",
                    described(
                        integer,
                        "The entry of the user's history that keeps the best match; of recognitions only."
                    )
                ),
                ("landmarks?", described(list("RecordingLandmark"), "By time; where they were asked for.")),
                ("searched?", searched),
            ]),
        ]
    }
}
