import EarshotRecognition
import Foundation
import TestSupport
import Testing

@Suite("History in memory")
struct MemoryHistoryStoreTests {
    @Test("It keeps every rule of histories", arguments: HistoryStoreRule.all)
    func rules(rule: HistoryStoreRule) async throws {
        try await rule.check(MemoryHistoryStore())
    }

    @Test("It keeps as many entries as it is told to, and at least one")
    func limit() async throws {
        for (limit, kept) in [(3, 3), (0, 1), (-5, 1)] {
            let store = MemoryHistoryStore(limit: limit)
            for title in ["a", "b", "c", "d"] {
                try await store.add(HistorySamples.match(title), by: .streamPCM, at: HistorySamples.evening)
            }
            #expect(try await store.count() == kept)
            #expect(try await store.entries().first?.match.track.title == "d")
        }
    }

    @Test("A place on earth is one, and others are none")
    func places() throws {
        #expect(HistoryPlace(latitude: 90, longitude: -180)?.accuracy == nil)
        #expect(HistoryPlace(latitude: 1, longitude: 2, accuracy: -1) == HistoryPlace(latitude: 1, longitude: 2))
        #expect(HistoryPlace(latitude: 90.01, longitude: 0) == nil)
        #expect(HistoryPlace(latitude: 0, longitude: .infinity) == nil)
        let json = Data(#"{"latitude":91,"longitude":0}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(HistoryPlace.self, from: json) }
        let place = try #require(HistoryPlace(latitude: 35.0116, longitude: 135.7681, accuracy: 4))
        #expect(try JSONDecoder().decode(HistoryPlace.self, from: JSONEncoder().encode(place)) == place)
    }
}
