import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation

extension Schemas {
    private static func example(_ schema: JSONValue, _ example: JSONValue) -> JSONValue {
        guard case .object(var members) = schema else { return schema }
        members["examples"] = [example]
        return .object(members)
    }

    private static let seconds: JSONValue = described(number, "In seconds.")
    private static let size: JSONValue = described(integer, "In bytes.")
    private static let error: JSONValue = object([("code", text), ("message", text), ("requestID?", text)])

    /// The schemas of media folders, exports and analyses.
    static var media: [String: JSONValue] {
        assetSchemas.merging(exportSchemas) { $1 }.merging(analysisSchemas) { $1 }.merging(librarySchemas) { $1 }
    }

    private static var assetSchemas: [String: JSONValue] {
        let track = object([
            ("index", described(integer, "Its number among all streams of the file.")), ("codec", text),
            ("sampleRate", described(integer, "Frames a second; 0 when unknown.")), ("channels", integer),
            ("language?", text), ("bitRate?", integer), ("duration?", reference("AssetTime")), ("isDefault", truth),
        ])
        return [
            "AssetTime": example(
                described(
                    object([("value", integer), ("timescale", integer), ("seconds", seconds)]),
                    "A time: so many units, of which a second has so many."
                ),
                ["value": 441_000, "timescale": 44_100, "seconds": 10]
            ),
            "AssetRecord": example(
                object([
                    ("id", described(text, "The name of a media folder and the path below it.")), ("size", size),
                    ("format", described(text, "The container's short names.")), ("duration?", reference("AssetTime")),
                    ("bitRate?", integer), ("tracks", ["type": "array", "items": track]),
                    ("tags", ["type": "object", "additionalProperties": text]), ("chapters", integer),
                    ("hasPicture", truth), ("hasVideo", truth),
                ]),
                [
                    "id": "music/Album/01.flac", "size": 1_234_567, "format": "flac",
                    "duration": ["value": 441_000, "timescale": 44_100, "seconds": 10],
                    "tracks": [
                        [
                            "index": 0, "codec": "flac", "sampleRate": 44_100, "channels": 2,
                            "duration": ["value": 441_000, "timescale": 44_100, "seconds": 10], "isDefault": false,
                        ]
                    ], "tags": ["TITLE": "Warm Ink"], "chapters": 0, "hasPicture": true, "hasVideo": false,
                ]
            ),
            "Waveform": example(
                described(
                    object([
                        ("version", integer), ("channels", integer), ("sample_rate", integer),
                        ("samples_per_pixel", described(integer, "Frames of one run.")), ("bits", integer),
                        ("length", described(integer, "How many runs each channel has.")),
                        (
                            "data",
                            described(
                                ["type": "array", "items": integer],
                                "The lowest and the highest sample of each run, channel after channel."
                            )
                        ), ("rms", described(["type": "array", "items": integer], "The level of each run.")),
                    ]),
                    "A waveform as audiowaveform writes it, with levels besides."
                ),
                [
                    "version": 2, "channels": 1, "sample_rate": 44_100, "samples_per_pixel": 256, "bits": 8,
                    "length": 2,
                    "data": [-12, 13, -64, 60], "rms": [5, 31],
                ]
            ),
        ]
    }

    private static var exportSchemas: [String: JSONValue] {
        let settings = object([
            ("encoding?", choice(AudioEncoding.Kind.allCases.map(\.rawValue))),
            ("bits?", ["type": "integer", "enum": [8, 16, 24, 32, 64]]), ("isFloat?", truth), ("isBigEndian?", truth),
            (
                "bitRate?",
                [
                    "type": "integer", "minimum": .integer(AudioEncoding.bitRates.lowerBound),
                    "maximum": .integer(AudioEncoding.bitRates.upperBound), "description": "Bits a second.",
                ]
            ),
            ("sampleRate?", ["type": "integer", "minimum": 8_000, "maximum": 192_000]),
            ("channels?", ["type": "integer", "minimum": 1, "maximum": 8]),
            ("stream?", described(integer, "The index of a track.")), ("start?", seconds), ("end?", seconds),
            ("dithers?", truth), ("keepsMetadata?", truth),
        ])
        let plan = object([
            ("encoding", text), ("bits?", integer), ("bitRate?", integer), ("sampleRate", integer),
            ("channels", integer), ("duration?", reference("AssetTime")),
            (
                "losses",
                described(
                    [
                        "type": "array",
                        "items": object([
                            ("kind", choice(ExportRecord.Loss.Kind.allCases.map(\.rawValue))), ("text", text),
                        ]),
                    ],
                    "What of the source the result will lack."
                )
            ),
        ])
        let progress = object([
            ("fraction?", described(number, "From 0 to 1, and 1 only when the file is there.")), ("frames", integer),
            ("bytes", integer), ("position", seconds), ("elapsed", seconds), ("remaining?", seconds),
        ])
        return [
            "ExportRequest": example(
                object([
                    ("asset", described(text, "The name of a media folder and the path below it.")),
                    ("name?", described(text, "What the result is called.")),
                    ("type?", choice(FileType.allCases.map(\.rawValue))),
                    ("preset?", choice(ExportPreset.allCases.map(\.rawValue))), ("settings?", settings),
                ]),
                [
                    "asset": "music/Album/01.flac", "name": "warm-ink.wav", "preset": "pcm16-44100-stereo",
                    "settings": ["sampleRate": 48_000],
                ]
            ),
            "ExportRecord": example(
                object([
                    ("id", text), ("asset", text), ("name", text), ("type", text),
                    ("status", choice(ExportRecord.Status.allCases.map(\.rawValue))), ("plan", plan),
                    ("progress", progress), ("size?", size), ("duration?", reference("AssetTime")), ("error?", error),
                    ("created", time), ("finished?", time),
                ]),
                [
                    "id": "abcdefgh23456722", "asset": "music/Album/01.flac", "name": "warm-ink.wav", "type": "wav",
                    "status": "exporting",
                    "plan": [
                        "encoding": "pcm", "bits": 16, "sampleRate": 44_100, "channels": 2,
                        "losses": [["kind": "bits", "text": "24 bits become 16"]],
                    ],
                    "progress": [
                        "fraction": 0.5, "frames": 220_500, "bytes": 1_323_000, "position": 5, "elapsed": 0.1,
                        "remaining": 0.1,
                    ], "created": "2026-01-31T20:15:00Z",
                ]
            ),
        ]
    }

    private static var analysisSchemas: [String: JSONValue] {
        let failure = object([("asset", text), ("analyser", text), ("code", text), ("message", text)])
        return [
            "AnalysisRequest": example(
                object([
                    ("folder", described(text, "The name of a media folder, and perhaps a path below it.")),
                    ("analysers?", described(texts, "loudness, rhythm, key, silence, waveform; all when left out.")),
                ]),
                ["folder": "music/Album", "analysers": ["loudness", "key"]]
            ),
            "AnalysisRun": example(
                object([
                    ("id", text), ("folder", text), ("analysers", texts),
                    ("state", choice(JobRecord.State.allCases.map(\.rawValue))), ("total?", integer),
                    ("done", integer), ("analysed", integer), ("unchanged", integer), ("failed", integer),
                    (
                        "failureCounts",
                        described(
                            ["type": "object", "additionalProperties": integer],
                            "How often each code of failure came."
                        )
                    ), ("failures", ["type": "array", "maxItems": 1_000, "items": failure]),
                    ("audioSeconds", seconds), ("error?", error), ("created", time), ("finished?", time),
                ]),
                [
                    "id": "abcdefgh23456722", "folder": "music", "analysers": ["loudness"], "state": "running",
                    "total": 740, "done": 3, "analysed": 2, "unchanged": 0, "failed": 1,
                    "failureCounts": ["assetUnreadable": 1],
                    "failures": [
                        [
                            "asset": "music/damaged.mp3", "analyser": "loudness", "code": "assetUnreadable",
                            "message": "music/damaged.mp3 cannot be opened as media.",
                        ]
                    ], "audioSeconds": 0, "created": "2026-01-31T20:15:00Z",
                ]
            ),
            "AssetAnalyses": example(
                object([
                    ("asset", text),
                    (
                        "analyses",
                        [
                            "type": "array",
                            "items": object([
                                ("analyser", text), ("version", integer),
                                ("result?", described([:], "As the analysis has it.")), ("error?", error),
                            ]),
                        ]
                    ),
                ]),
                [
                    "asset": "music/Album/01.flac",
                    "analyses": [["analyser": "key", "version": 1, "result": ["mode": "minor", "tonic": 6]]],
                ]
            ),
        ]
    }

    private static var librarySchemas: [String: JSONValue] {
        let candidate = object([
            ("kind", choice(LibraryAnswer.Candidate.Kind.allCases.map(\.rawValue))), ("name", text),
            ("artist?", text), ("album?", text), ("reason", choice(CandidateReason.allCases.map(\.rawValue))),
            ("score", number), ("assets", described(texts, "What is played when it is chosen, in order.")),
            ("assetCount", integer),
            ("tracks?", described(list("LibraryTrack"), "What the files are called, where tracks=1 asks for it.")),
        ])
        let page: [(String, JSONValue)] = [
            ("offset", described(integer, "How many come before these.")), ("total", integer),
            ("indexed", described(integer, "How many files are known so far.")), ("isComplete", truth),
        ]
        let album = object([
            ("name", text), ("artist?", text), ("year?", integer),
            ("tracks", described(list("LibraryTrack"), "In order; the first 500 where there are more.")),
        ])
        return [
            "LibraryTrack": object([
                ("asset", described(text, "The name of a media folder and the path below it.")),
                ("title", described(text, "The name of the file where its tags have no title.")), ("artist?", text),
                ("album?", text), ("disc?", integer), ("number?", integer), ("duration?", seconds),
            ]),
            "LibraryAlbumPage": object([("albums", ["type": "array", "items": album])] + page),
            "LibraryTrackPage": object([("tracks", list("LibraryTrack"))] + page),
            "LibraryAnswer": example(
                object([
                    (
                        "command",
                        choice(["source", "nextTrack", "playAlbum", "playTrack", "playArtist", "play"])
                    ), ("name?", text), ("candidates", ["type": "array", "items": candidate]),
                    ("choice?", described(integer, "Which of the candidates is meant without question.")),
                    ("indexed", described(integer, "How many files are known so far.")), ("isComplete", truth),
                ]),
                [
                    "command": "playAlbum", "name": "moondance",
                    "candidates": [
                        [
                            "kind": "album", "name": "Moondance", "artist": "Van Morrison", "reason": "exact",
                            "score": 1,
                            "assets": ["music/Moondance/01.flac"], "assetCount": 1,
                        ]
                    ], "choice": 0, "indexed": 740, "isComplete": true,
                ]
            ),
        ]
    }
}
