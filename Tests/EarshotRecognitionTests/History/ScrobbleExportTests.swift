import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("Scrobbles")
struct ScrobbleExportTests {
    private static func entry(_ id: Int, _ match: MusicMatch, heard: Double? = nil) throws -> HistoryEntry {
        let date = HistorySamples.evening.addingTimeInterval(Double(id))
        return try HistoryEntry(id: id, match: match, operation: .streamMicrophone, date: date, heard: heard)
    }

    @Test("A scrobble has the parameters of track.scrobble, and the user did not choose it")
    func parameters() throws {
        let (batches, omissions) = ScrobbleExport().batches([try Self.entry(0, HistorySamples.full, heard: 150)])
        #expect(omissions.isEmpty)
        #expect(
            batches == [
                [
                    "method": "track.scrobble", "artist[0]": "The Tin Foxes", "track[0]": "Lantern",
                    "timestamp[0]": "1777660138", "album[0]": "Morning Rail", "albumArtist[0]": "Various Artists",
                    "trackNumber[0]": "3", "mbid[0]": "6b9a509f-6907-4a6e-9345-2f12da09ba4b", "duration[0]": "202",
                    "chosenByUser[0]": "0",
                ]
            ]
        )
    }

    @Test("The artist of the album is named only when it is another one, and what is not known is not there")
    func bare() throws {
        var match = HistorySamples.match("a", duration: nil)
        match.album.artist = match.artist.name
        let (batches, _) = ScrobbleExport().batches([try Self.entry(0, match)])
        #expect(
            batches.first.map { Set($0.keys) } == [
                "method", "artist[0]", "track[0]", "timestamp[0]", "chosenByUser[0]",
            ]
        )
    }

    @Test("A request holds at most 50, the oldest first, and short or unheard tracks are left out")
    func batches() throws {
        var entries = try (1...120).reversed().map { try Self.entry($0, HistorySamples.match("\($0)"), heard: 100) }
        entries.append(try Self.entry(121, HistorySamples.match("short", duration: 30), heard: 30))
        entries.append(try Self.entry(122, HistorySamples.match("left", duration: 300), heard: 149))
        entries.append(try Self.entry(123, HistorySamples.match("", duration: 300), heard: 200))
        let (batches, omissions) = ScrobbleExport().batches(entries)
        #expect(batches.map { $0.keys.count { $0.hasPrefix("track[") } } == [50, 50, 20])
        #expect(batches[0]["track[0]"] == "1" && batches[2]["track[19]"] == "120")
        #expect(Set(omissions.map(\.id)) == [121, 122, 123])
        #expect(omissions.count { $0.reason == .notHeard } == 2)
    }

    @Test("The log of a portable player has a header, and a line for each with its rating")
    func log() throws {
        var odd = HistorySamples.match("Tab\there\nand there", artist: "A\r\nB")
        odd.album.title = nil
        let entries = [
            try Self.entry(0, HistorySamples.full, heard: 150), try Self.entry(1, odd, heard: 20),
            try Self.entry(2, HistorySamples.match("no length", duration: nil)),
            try Self.entry(3, HistorySamples.match("short", duration: 12), heard: 12),
            try Self.entry(4, HistorySamples.match("unknown")),
        ]
        let log = ScrobbleExport(client: "Earshot 1.2").log(entries)
        #expect(
            log.text == """
                #AUDIOSCROBBLER/1.1
                #TZ/UTC
                #CLIENT/Earshot 1.2
                The Tin Foxes\tMorning Rail\tLantern\t3\t202\tL\t1777660138\t6b9a509f-6907-4a6e-9345-2f12da09ba4b
                A  B\t\tTab here and there\t\t200\tS\t1777660201\t
                The Tin Foxes\t\tunknown\t\t200\tL\t1777660204\t

                """
        )
        #expect(log.count == 3)
        #expect(
            Set(log.omissions)
                == [HistoryOmission(id: 2, reason: .lengthMissing), HistoryOmission(id: 3, reason: .notHeard)]
        )
        let strict = ScrobbleExport(rule: ListenRule(minimumDuration: 30, unknown: .exclude)).log(entries)
        #expect(strict.count == 2 && strict.omissions.contains(HistoryOmission(id: 4, reason: .notHeard)))
    }

    @Test("A line of the log has eight fields, whatever the names hold")
    func fields() {
        property("eight fields a line", rounds: 200) { generator in
            func text(_ generator: inout SeededGenerator) -> String {
                (0..<Int.random(in: 1...12, using: &generator)).reduce(into: "") { text, _ in
                    text.unicodeScalars.append(
                        Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &generator)) ?? "x"
                    )
                }
            }
            var match = HistorySamples.match(text(&generator) + "x", artist: text(&generator) + "x")
            match.album.title = text(&generator)
            let log = ScrobbleExport().log([try Self.entry(1, match)]).text
            let lines = log.unicodeScalars.split(separator: "\n")
            return lines.count == 4 && lines[3].split(separator: "\t", omittingEmptySubsequences: false).count == 8
        }
    }
}
