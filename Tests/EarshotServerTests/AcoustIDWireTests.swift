import EarshotCore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import EarshotServer

@Suite("The wire forms of AcoustID's protocol")
struct AcoustIDWireTests {
    private let answer: JSONValue = [
        "status": "ok",
        "results": [
            [
                "score": .number(0.5), "id": "x", "recordings": [["title": "A <b> & \"c\"\u{2028}", "sources": 2]],
                "matches": .null, "empty": [],
            ]
        ],
    ]

    @Test("JSON has its names in order and escapes what could end a script")
    func json() {
        #expect(
            AcoustIDJSON.text(answer) == #"""
                {"results": [{"empty": [], "id": "x", "matches": null, "recordings": [{"sources": 2, "title": "A \u003cb\u003e \u0026 \"c\"\u2028"}], "score": 0.5}], "status": "ok"}
                """#
        )
    }

    @Test("what JSON is written can be read back")
    func jsonRoundTrip() {
        property("JSON can be read back") { random in
            let scalars = (0..<40).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let data = Data(AcoustIDJSON.text([.string(text)]).utf8)
            let read = try JSONDecoder().decode([String].self, from: data)
            return read.first.map { $0.unicodeScalars.elementsEqual(scalars) } ?? false
        }
    }

    @Test("XML has its names in order, and entries under the singular of their list")
    func xml() {
        #expect(
            AcoustIDXML.text(answer) == """
                <?xml version='1.0' encoding='UTF-8'?>
                <response><results><result><empty /><id>x</id><matches /><recordings><recording><sources>2</sources>\
                <title>A &lt;b&gt; &amp; "c"\u{2028}</title></recording></recordings><score>0.5</score></result></results>\
                <status>ok</status></response>
                """
        )
        #expect(AcoustIDXML.text(["a": "\u{0}\u{1B}\r"]).contains("<a>\u{FFFD}\u{FFFD}&#13;</a>"))
        #expect(
            ["releases", "hashes", "secondarytypes"].map(AcoustIDXML.singular) == ["release", "hash", "secondarytype"]
        )
    }

    @Test("a callback is a name of JavaScript, and anything else gives way to the standard one")
    func callbacks() {
        for text in ["a", "jQuery_12.call", "$", "$a.b9", "_x"] { #expect(AcoustIDFormat.isCallback(text)) }
        for text in [
            "", ".", "a.", "1a", "a-b", "alert(1)//", "a b", "ä", "a..b", String(repeating: "a", count: 201),
        ] {
            #expect(!AcoustIDFormat.isCallback(text), "\(text)")
        }
    }

    @Test("a client may ask so often in a second, and again when time has passed")
    func pace() {
        let pace = RateLimiter(limit: 3)
        let now = Date(timeIntervalSince1970: 0)
        #expect((0..<5).map { _ in pace.admits("a", at: now) } == [true, true, true, false, false])
        #expect(pace.admits("b", at: now))
        #expect(pace.admits("a", at: now + 0.34))
        #expect(!pace.admits("a", at: now + 0.34))
        // A clock that is set back lets nobody wait forever.
        #expect(!pace.admits("a", at: now - 100))
        #expect(pace.admits("a", at: now - 99))
    }

    @Test("the shape follows the words: the old one first, then recordings, groups, releases")
    func precedence() {
        let entry = AcoustIDEntry(
            recording: "r",
            title: "T",
            duration: 200,
            artists: [["id": "a", "name": "A"]],
            isrcs: ["I"],
            release: AcoustIDEntry.Release(
                id: "l",
                title: "L",
                group: "g",
                isCompilation: true,
                date: ["year": 1999],
                mediumCount: 2,
                trackCount: 20,
                artists: [["id": "a", "name": "A"]]
            ),
            place: AcoustIDEntry.Place(
                medium: 2,
                format: "CD",
                trackCount: 10,
                id: "t",
                position: 4,
                title: "T",
                artists: [["id": "a", "name": "A"]],
                duration: 200
            )
        )
        func shown(_ meta: String?) -> String {
            AcoustIDJSON.text(.object(AcoustIDLayout(meta).members([(id: "r", sources: 3, entries: [entry])])))
                .replacing("\"", with: "'")
        }
        let artists = "'artists': [{'id': 'a', 'name': 'A'}]"
        #expect(shown(nil) == "{}")
        #expect(shown("0") == "{}")
        #expect(shown("tracks compress") == "{}")
        #expect(shown("1") == "{'recordings': [{'id': 'r'}]}")
        #expect(shown("recordingids sources isrcs") == "{'recordings': [{'id': 'r', 'isrcs': ['I'], 'sources': 3}]}")
        #expect(shown("recordings") == "{'recordings': [{\(artists), 'duration': 200.0, 'id': 'r', 'title': 'T'}]}")
        #expect(
            shown("releases releasegroupids")
                == "{'releasegroups': [{'id': 'g', 'releases': [{\(artists), 'date': {'year': 1999}, 'id': 'l', 'medium_count': 2, 'releaseevents': [{'date': {'year': 1999}}], 'title': 'L', 'track_count': 20}]}]}"
        )
        #expect(shown("releaseids") == "{'releases': [{'id': 'l'}]}")
        #expect(
            shown("m2 recordings")
                == "{'recordings': [{'duration': 200.0, 'id': 'r', 'tracks': [{\(artists), 'duration': 200.0, 'medium': {'format': 'CD', 'position': 2, 'release': {'id': 'l', 'title': 'L'}, 'track_count': 10}, 'position': 4, 'title': 'T'}]}]}"
        )
        // As Picard asks: whatever a child repeats of its parent is left out.
        #expect(
            shown("recordings releasegroups releases tracks compress sources")
                == "{'recordings': [{\(artists), 'duration': 200.0, 'id': 'r', 'releasegroups': [{'id': 'g', 'releases': [{'date': {'year': 1999}, 'id': 'l', 'medium_count': 2, 'mediums': [{'format': 'CD', 'position': 2, 'track_count': 10, 'tracks': [{'id': 't', 'position': 4}]}], 'releaseevents': [{'date': {'year': 1999}}], 'track_count': 20}], 'secondarytypes': ['Compilation'], 'title': 'L'}], 'sources': 3, 'title': 'T'}]}"
        )
    }

    @Test("each code has its status")
    func statuses() {
        #expect(AcoustIDError.invalidKey.status == .badRequest)
        #expect(AcoustIDError.internalError.status.code == 500)
        #expect(AcoustIDError.unavailable.status.code == 503)
        #expect(AcoustIDError.tooManyRequests(3).status.code == 429)
        #expect(AcoustIDError.fingerprintNotFound.status.code == 404)
        #expect(AcoustIDError.tooLarge.status.code == 413)
        #expect(
            [
                AcoustIDError.unknownFormat, .missing(""), .invalidFingerprint, .invalidKey, .internalError,
                .invalidUserKey,
                .invalidUUID(""), .invalidDuration(""), .invalidBitRate(""), .invalidForeignID(""),
                .invalidDurationDifference, .notAllowed, .unavailable, .tooManyRequests(1), .invalidMusicBrainzToken,
                .insecure, .unknownApplication, .fingerprintNotFound, .tooLarge,
            ].map(\.code) == Array(1...19)
        )
    }
}
