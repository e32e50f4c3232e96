import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("Histories as tables and JSON")
struct HistoryDocumentTests {
    private static func entry(_ match: MusicMatch) throws -> HistoryEntry {
        try HistoryEntry(
            id: 12,
            match: match,
            operation: .streamPCM,
            date: HistorySamples.evening,
            place: HistoryPlace(latitude: -33.8568, longitude: 151, accuracy: 5),
            coverArt: HistoryEntry.CoverArt(mimeType: "image/png", data: Data([1, 2, 3])),
            heard: 30
        )
    }

    @Test("A row says all that a table can hold")
    func row() throws {
        let rows = CSV.rows(HistoryDocument.csv([try Self.entry(HistorySamples.full)]))
        #expect(rows.count == 2 && rows[0] == HistoryDocument.columns)
        #expect(
            rows[1] == [
                "12", "2026-05-01T18:30:00.250Z", "2026-05-01T18:28:58.000Z", "streamPCM", "Lantern", "The Tin Foxes",
                "Morning Rail", "Various Artists", "3", "1999", "Jazz", "201.5", "62.25", "30", "-33.8568", "151", "5",
                "GBAYE0601498", "6b9a509f-6907-4a6e-9345-2f12da09ba4b", "1ac04871-5cfb-418c-8aed-a0a0a46d1146",
                "2f8c1f1e-54f4-4c5f-9a1c-3a1a7d1d1c11",
            ]
        )
    }

    @Test("Positions and times beyond all reason are written, and end nothing")
    func extremes() throws {
        for position in [Int.min, -1, 0, Int.max] {
            var match = HistorySamples.full
            match.songPosition = MediaTime(value: Int64(position), timescale: 1_000)
            match.track.duration = position == 0 ? .invalid : .positiveInfinity
            for date in [Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: 253_402_300_799)] {
                let entry = try HistoryEntry(id: .max, match: match, operation: .streamPCM, date: date, heard: 1e300)
                #expect((entry.began == nil) == (abs(Double(position)) > 1e12))
                #expect(CSV.rows(HistoryDocument.csv([entry])).count == 2)
                #expect(ScrobbleExport().batches([entry]).batches.count == 1)
                #expect(ListenBrainzExport().documents([entry]).documents.count <= 1)
                _ = ScrobbleExport().log([entry])
            }
        }
    }

    @Test("No text begins a formula, and commas and quotation marks stay in their field")
    func formulas() throws {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "=HYPERLINK(\"http://x\",\"y\")"] {
            var match = HistorySamples.match(text, artist: text)
            (match.album.title, match.album.artist, match.album.releaseYear) = (text, text, text)
            match.track.genres = [Descriptor(id: "g", name: text)]
            (match.track.id, match.album.id) = (EntityID(text), EntityID(text))
            let rows = CSV.rows(HistoryDocument.csv([try Self.entry(match)]))
            #expect(rows[1].count == HistoryDocument.columns.count)
            #expect(rows[1].count { $0 == "'" + text } == 8 && !rows[1].contains(text))
        }
        #expect(CSV.inert("") == "" && CSV.inert("a=1") == "a=1" && CSV.inert("'quoted'") == "'quoted'")
    }

    @Test("JSON has every value, when it began, and the cover only where it is asked for")
    func json() throws {
        let entries = [try Self.entry(HistorySamples.full)]
        func first(_ data: Data) throws -> [String: Any] {
            let object = try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]]
            return try #require(object?["entries"]?.first)
        }
        let entry = try first(try HistoryDocument.json(entries))
        #expect(entry["began"] as? String == "2026-05-01T18:28:58.000Z")
        #expect(entry["date"] as? String == "2026-05-01T18:30:00.250Z" && entry["coverArt"] == nil)
        #expect((entry["match"] as? [String: Any])?["trackTitle"] as? String == "Lantern")
        let cover = try first(try HistoryDocument.json(entries, coverArt: true))["coverArt"] as? [String: String]
        #expect(cover == ["mimeType": "image/png", "data": "AQID"])
        var match = HistorySamples.full
        match.score = .infinity
        let error = #expect(throws: EarshotError.self) { try HistoryDocument.json([try Self.entry(match)]) }
        #expect(error?.code == .metadataInvalid)
    }
}
