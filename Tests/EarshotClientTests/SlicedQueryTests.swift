import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import TestSupport
import Testing

@Suite("Queries longer than a catalog takes")
struct SlicedQueryTests {
    @Test("the offset of a match in a later slice counts from the start of the query, at the query's speed")
    func offset() async throws {
        let music = SyntheticMusic(seed: 71, duration: 60)
        var made = Catalog()
        try made.add(music.signature(), representing: [MediaItem()], id: "m")
        let catalog = made
        let limits = QueryLimits(minimum: .zero, maximum: MediaTime(value: 15, timescale: 1))
        let service = LocalRecognitionService(music: try SQLiteMusicStore.inMemory(), limits: limits) {
            signature throws(EarshotError) in try catalog.match(signature)
        }
        // Nothing sounds in the first slice; the second begins 30 s into the piece, played 5 % fast.
        let query = try Signature.of(
            [Float](repeating: 0, count: 15 * 16_000) + music.samples(from: 30, seconds: 15, change: .played(1.05))
        )
        let matches = try await service.recognize(RecognitionQuery(query, kind: .stream), ContentPreferences())
        let match = try #require(matches.first)
        let placement = try #require(match.placement)
        #expect(abs(placement.offset.seconds - (30 - 15 * 1.05)) < 0.1)
        #expect(abs(try #require(match.songPosition).seconds - (30 - 15 * 1.05)) < 0.1)
        let start = placement.placement.referenceTime(at: placement.queryRange.lowerBound)
        #expect(abs((start - placement.referenceRange.lowerBound).seconds) < 0.1)
    }
}
