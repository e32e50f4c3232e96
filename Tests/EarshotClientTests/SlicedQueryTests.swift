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
        let catalog = try Catalog().adding(music.signature(), as: "m", representing: [MediaItem()])
        let limits = QueryLimits(minimum: .zero, maximum: MediaTime(value: 18, timescale: 1))
        let service = LocalRecognitionService(music: try SQLiteMusicStore.inMemory(), limits: limits) {
            signature throws(EarshotError) in try catalog.match(signature)
        }
        // Nothing sounds in the first slice; the second begins 30 s into the piece, played 5 % fast.
        let query = try Signature.of(
            [Float](repeating: 0, count: 18 * 16_000) + music.samples(from: 30, seconds: 12, change: .played(1.05))
        )
        let match = try #require(try await service.recognize(RecognitionQuery(query, kind: .stream), .init()).first)
        let placement = try #require(match.placement)
        #expect(abs(placement.offset.seconds - (30 - 18 * 1.05)) < 0.1)
        #expect(abs(try #require(match.songPosition).seconds - (30 - 18 * 1.05)) < 0.1)
        let start = placement.referenceTime(at: placement.queryRange.lowerBound)
        #expect(abs((start - placement.referenceRange.lowerBound).seconds) < 0.1)
    }
}
