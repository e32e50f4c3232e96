import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("Listens for ListenBrainz")
struct ListenBrainzExportTests {
    private static func entry(
        _ id: Int,
        _ match: MusicMatch,
        at date: Date = HistorySamples.evening,
        heard: Double? = nil
    )
        throws -> HistoryEntry
    {
        try HistoryEntry(id: id, match: match, operation: .streamPCM, date: date, heard: heard)
    }

    private static func object(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private static func payload(_ data: Data) throws -> [[String: Any]] {
        try #require(try object(data)["payload"] as? [[String: Any]])
    }

    @Test("A listen says who, what, since when, and by which identifiers")
    func listen() throws {
        let export = ListenBrainzExport(version: "1.2", origin: "http://radio.example/stream")
        let result = export.documents([try Self.entry(7, HistorySamples.full, heard: 130.4)], kind: .single)
        let document = try #require(result.documents.first)
        #expect(try Self.object(document)["listen_type"] as? String == "single")
        let listen = try #require(try Self.payload(document).first)
        // The track began 62.25 s before 18:30:00.25.
        #expect(listen["listened_at"] as? Int == 1_777_660_138)
        let track = try #require(listen["track_metadata"] as? [String: Any])
        #expect(track["artist_name"] as? String == "The Tin Foxes" && track["track_name"] as? String == "Lantern")
        #expect(track["release_name"] as? String == "Morning Rail")
        let info = try #require(track["additional_info"] as? [String: Any])
        #expect(info["recording_mbid"] as? String == "6b9a509f-6907-4a6e-9345-2f12da09ba4b")
        #expect(info["release_mbid"] as? String == "2f8c1f1e-54f4-4c5f-9a1c-3a1a7d1d1c11")
        #expect(info["artist_mbids"] as? [String] == ["f27ec8db-af05-4f36-916e-3d57f91ecf5e"])
        #expect(info["isrc"] as? String == "GBAYE0601498" && info["tracknumber"] as? String == "3")
        #expect(info["duration_ms"] as? Int == 201_500 && info["duration_played"] as? Int == 130)
        #expect(info["submission_client"] as? String == "Earshot")
        #expect(info["submission_client_version"] as? String == "1.2")
        #expect(info["origin_url"] as? String == "http://radio.example/stream")
    }

    @Test("Ids of a store are no MBIDs unless the track says so, and what is not known is not there")
    func identifiers() throws {
        var match = HistorySamples.match("Lantern", duration: nil)
        match.track.id = "1ac04871-5cfb-418c-8aed-a0a0a46d1146"
        match.artist.id = "f27ec8db-af05-4f36-916e-3d57f91ecf5e"
        match.track.identifiers = ["isrc:no", "nonsense", "acoustID:1ac04871-5cfb-418c-8aed-a0a0a46d1146"]
        let document = try #require(ListenBrainzExport().documents([try Self.entry(1, match)]).documents.first)
        let listen = try #require(try Self.payload(document).first)
        let track = try #require(listen["track_metadata"] as? [String: Any])
        #expect(Set(track.keys) == ["artist_name", "track_name", "additional_info"])
        let info = try #require(track["additional_info"] as? [String: Any])
        #expect(Set(info.keys) == ["submission_client"])
        // Without a position the date of recognition has to do.
        #expect(listen["listened_at"] as? Int == 1_777_660_200)
    }

    @Test("A body holds at most 1,000 listens, the oldest first")
    func batches() throws {
        let entries = try (0..<2_001).map { number in
            let date = HistorySamples.evening.addingTimeInterval(-300 * Double(number))
            return try Self.entry(number, HistorySamples.match("\(number)"), at: date)
        }
        let result = ListenBrainzExport().documents(entries)
        let payloads = try result.documents.map(Self.payload)
        #expect(payloads.map(\.count) == [1_000, 1_000, 1] && result.count == 2_001)
        let times = payloads.joined().compactMap { $0["listened_at"] as? Int }
        #expect(times == times.sorted() && times.last == 1_777_660_200)
        #expect(ListenBrainzExport().documents(Array(entries.prefix(3)), kind: .single).documents.count == 3)
        #expect(ListenBrainzExport().documents([]).documents.isEmpty)
    }

    @Test("What the service would refuse is left out, with the reason")
    func omissions() throws {
        let first = Date(timeIntervalSince1970: Double(ListenBrainzExport.earliest))
        let export = ListenBrainzExport(rule: ListenRule(unknown: .exclude))
        let result = export.documents([
            try Self.entry(1, HistorySamples.match("a", artist: " "), heard: 150),
            try Self.entry(2, HistorySamples.match("b"), heard: 99),
            try Self.entry(3, HistorySamples.match("c")),
            try Self.entry(4, HistorySamples.match("d"), at: first.addingTimeInterval(-0.5), heard: 150),
            try Self.entry(5, HistorySamples.match("e"), at: first, heard: 150),
            try Self.entry(6, HistorySamples.match(String(repeating: "x", count: 10_240)), heard: 150),
        ])
        #expect(result.count == 1)
        #expect(
            result.omissions
                == [
                    HistoryOmission(id: 1, reason: .nameMissing), HistoryOmission(id: 2, reason: .notHeard),
                    HistoryOmission(id: 3, reason: .notHeard), HistoryOmission(id: 4, reason: .tooOld),
                    HistoryOmission(id: 6, reason: .tooLarge),
                ]
        )
    }

    @Test("A listen takes fewer than 10,240 bytes, whatever it is of")
    func size() {
        property("listens are small", rounds: 200) { generator in
            func text(_ generator: inout SeededGenerator) -> String {
                let signs = ["x", "\"", "\u{1}", "音", "é", "\\"]
                let sign = signs.randomElement(using: &generator) ?? ""
                return String(repeating: sign, count: Int.random(in: 1...4_000, using: &generator))
            }
            var match = HistorySamples.full
            match.track.title = text(&generator)
            match.album.title = text(&generator)
            match.artist.name = text(&generator)
            let result = ListenBrainzExport(client: text(&generator)).documents([try Self.entry(1, match)])
            guard let document = result.documents.first else { return result.omissions.map(\.reason) == [.tooLarge] }
            let frame = Data(#"{"listen_type":"import","payload":[]}"#.utf8).count
            return document.count - frame < 10_240 && (try? Self.payload(document).count) == 1
        }
    }
}
