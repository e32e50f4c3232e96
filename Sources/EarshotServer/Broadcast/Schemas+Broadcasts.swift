import EarshotAPI
import EarshotBroadcast
import EarshotCore
import EarshotRecognition

extension Schemas {
    private static let milliseconds: JSONValue = described(integer, "In milliseconds.")
    private static let name = reference("Name")

    /// The schemas of broadcasts and bundles.
    static var broadcasts: [String: JSONValue] {
        [
            "Name": object([
                ("text", text), ("translations", ["type": "object", "additionalProperties": text]), ("reading?", text),
                ("alternates", texts),
            ]),
            "ExternalIdentifier": object([("source", text), ("kind", text), ("value", text)]),
            "VideoCredit": object([("role", text), ("name", text), ("character?", text), ("isGuest", truth)]),
            "VideoWork": object([
                ("id", text), ("tag", text), ("title", name), ("subtitle?", name),
                ("kind", choice(VideoWork.Kind.allCases.map(\.rawValue))),
                ("isPartial", described(truth, "true: a query for the work tells more.")), ("duration?", milliseconds),
                ("date?", text), ("synopsis?", name), ("genres", texts), ("credits", list("VideoCredit")),
                ("pictures", texts), ("trailers", texts), ("externalIdentifiers", list("ExternalIdentifier")),
            ]),
            "Program": object([
                ("id", text), ("tag", text), ("title", name), ("subtitle?", name), ("synopsis?", name),
                ("categories", texts), ("episode?", ["type": "object"]), ("date?", text), ("duration?", milliseconds),
                ("credits", list("VideoCredit")), ("work?", reference("VideoWork")), ("images", texts),
                ("language?", text), ("countries", texts),
                ("ratings", ["type": "array", "items": object([("system", text), ("value", text)])]),
                ("externalIdentifiers", list("ExternalIdentifier")),
            ]),
            "BroadcastChannel": object([
                ("id", text), ("tag", text), ("name", name), ("callSign?", text), ("number?", text), ("icon?", text),
                ("address?", text), ("externalIdentifiers", list("ExternalIdentifier")),
            ]),
            "Airing": object([
                ("start", time), ("end", time), ("channel", reference("BroadcastChannel")),
                ("program", reference("Program")), ("isLive", truth), ("isRepeat", truth),
            ]),
            "BroadcastMatch": described(
                object([
                    ("title?", text), ("subtitle?", text),
                    (
                        "position?",
                        described(integer, "Where in it the recording's first instant falls, in milliseconds.")
                    ), ("work?", reference("VideoWork")), ("airing?", reference("Airing")),
                    ("music?", reference("MusicMatch")),
                    ("behindLive?", described(integer, "How far behind its channel, in milliseconds.")),
                    ("placement?", reference("Placement")),
                ]),
                "What is on: a work of an archive, an airing of a channel, or music; never two of them."
            ),
            "BroadcastAnswer": object([
                ("source?", choice(BroadcastAnswer.Source.allCases.map(\.rawValue))),
                ("matches", list("BroadcastMatch")), ("searched?", searched),
            ]),
            "WorkList": object([("works", list("VideoWork"))]),
            "ProgramList": object([("programs", list("Program"))]),
            "ChannelList": object([("channels", list("BroadcastChannel"))]),
            "AiringList": object([("airings", list("Airing"))]),
            "BundleDescription": object([
                ("id", text), ("version", integer), ("size", integer), ("references", integer), ("sha256", text),
                ("published", time),
            ]),
            "BundleList": object([("bundles", list("BundleDescription"))]),
            "LiveFeedRecord": object([("channel", text), ("taken", integer), ("passed", integer), ("end?", time)]),
        ]
    }
}
