import EarshotAPI
import EarshotBroadcast
import EarshotCore
import EarshotStations

extension Schemas {
    private static let seconds: JSONValue = described(number, "In seconds.")
    private static let total = object([("plays", integer), ("seconds", number), ("first?", time), ("last?", time)])

    private static func array(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    /// The schemas of stations.
    static var stations: [String: JSONValue] {
        present.merging(days) { $1 }.merging(plays) { $1 }.merging(repeatsAndReceivers) { $1 }
    }

    private static var present: [String: JSONValue] {
        [
            "StationBreak": object([("start", time), ("end?", time), ("reason", text)]),
            "StationAiring": object([("start", time), ("end", time), ("title", text), ("subtitle?", text)]),
            "StationRecord": object([
                ("id", text), ("name", text), ("timeZone", text), ("isLive", truth), ("lostSince?", time),
                ("level?", described(number, "Of the last second, in dBFS.")), ("kind?", text), ("fault?", text),
                ("playing", list("LoggedPlay")), ("now?", reference("StationAiring")),
                ("next?", reference("StationAiring")), ("lastBreak?", reference("StationBreak")),
                ("recent", list("LoggedPlay")),
            ]),
            "StationList": object([
                ("date", time), ("monitor", choice(StationList.Monitor.allCases.map(\.rawValue))),
                ("monitorDate?", time), ("sequence", described(integer, "The number of the log's last change.")),
                ("timeZone", text), ("stations", list("StationRecord")),
            ]),
            "LiveChannelList": object([
                ("date", time), ("hours", described(number, "How many hours of each channel are kept.")),
                (
                    "channels",
                    array(object([("id", text), ("name?", text), ("end", time), ("now?", reference("StationAiring"))]))
                ),
            ]),
        ]
    }

    private static var days: [String: JSONValue] {
        let announced = object([
            ("start", time), ("end", time), ("title", text), ("subtitle?", text),
            ("outcome", choice(GuideComparison.Outcome.allCases.map(\.rawValue))), ("heardStart?", time),
            ("heardEnd?", time), ("heardSeconds", number), ("songs", integer), ("spots", integer), ("others", texts),
        ])
        let channel = object([("id", text), ("name", text)])
        let channelTotal = object([
            ("channel", channel), ("heardSeconds", number), ("identifiedSeconds", number), ("total", total),
        ])
        let referenceTotal = object([
            ("id", text), ("title?", text), ("artist?", text), ("isrc?", text), ("callerRef?", text),
            ("channels", texts), ("total", total),
        ])
        let gap = object([("id", text), ("channel", channel), ("start", time), ("end?", time), ("reason", text)])
        return [
            "StationDay": object([
                ("id", text), ("name", text), ("timeZone", text), ("day", text), ("start", time), ("end", time),
                ("date", time), ("sequence", integer), ("plays", list("LoggedPlay")), ("breaks", list("StationBreak")),
                ("heard", array(object([("start", time), ("end", time)]))), ("guide", list("StationAiring")),
            ]),
            "StationComparison": object([("entries", array(announced)), ("unannounced", list("LoggedPlay"))]),
            "StationReport": object([
                ("day", text), ("timeZone", text), ("start", time), ("end", time), ("channels", array(channelTotal)),
                ("references", array(referenceTotal)), ("kinds", array(object([("kind", text), ("total", total)]))),
                ("gaps", array(gap)),
            ]),
        ]
    }

    private static var plays: [String: JSONValue] {
        let kinds = "song, songUnderSpeech, jingle, advertisement, programme, unknown, or another word."
        let song = object([
            ("reference", text), ("title?", text), ("artist?", text), ("kind", text), ("plays", integer),
            ("seconds", seconds), ("stations", described(integer, "On how many.")), ("first", time), ("last", time),
        ])
        return [
            "LoggedPlay": object([
                ("id", text), ("station?", text), ("start", time),
                ("end", described(time, "Until when it was heard so far, while it goes on.")), ("isOpen", truth),
                ("kind", described(text, kinds)), ("title?", text), ("artist?", text), ("album?", text),
                ("reference?", text), ("played", seconds), ("confidence?", number),
                ("endReason?", choice(PlayEndReason.allCases.map(\.rawValue))),
            ]),
            "PlayedSongList": object([("songs", array(song))]),
            "PlayPage": object([("plays", list("LoggedPlay")), ("next?", text)]),
        ]
    }

    private static var repeatsAndReceivers: [String: JSONValue] {
        let candidate = object([
            ("id", text), ("length", seconds), ("count", integer), ("stations", texts), ("firstHeard", time),
            ("lastHeard", time), ("kind?", text), ("hasAudio", truth),
            ("title?", described(text, "The name that waits for the monitor.")), ("isDismissed", truth),
        ])
        let named = object([("id", text), ("title?", text), ("artist?", text), ("kind?", text), ("length", seconds)])
        let delivery = object([
            ("id", text), ("date", time), ("changes", integer), ("status?", integer), ("fault?", text),
            ("seconds", number),
        ])
        let receiver = object([
            ("name", text), ("address", text), ("events", texts), ("channels", texts),
            ("state", choice(WebhookStatus.State.allCases.map(\.rawValue))), ("failures", integer), ("retryAt?", time),
            ("behind?", described(integer, "Changes that are not sent yet.")), ("deliveries", array(delivery)),
        ])
        return [
            "RepeatName": object([("title", text), ("artist?", text), ("kind?", text)]),
            "RepeatList": object([("repeats", array(candidate)), ("named", array(named))]),
            "WebhookList": object([("webhooks", array(receiver))]),
        ]
    }
}
