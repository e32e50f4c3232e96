import EarshotCatalogs
import EarshotCore
import EarshotDSP
import EarshotSessions
import TestSupport
import Testing

@Suite("Refined sessions")
struct RefiningTests {
    /// A piece as reference audio.
    struct Piece: ReferenceAudio {
        let music: SyntheticMusic

        mutating func samples(_ frames: Range<Int>, sampleRate: Int) async throws -> [Float] {
            let rate = Double(sampleRate)
            let start = max(0, frames.lowerBound)
            let lead = [Float](repeating: 0, count: start - frames.lowerBound)
            let count = frames.upperBound - start
            var samples = music.samples(
                from: Double(start) / rate,
                seconds: Double(count) / rate,
                sampleRate: sampleRate
            )
            samples += [Float](repeating: 0, count: max(0, count - samples.count))
            return lead + samples.prefix(count)
        }
    }

    private func listened(kept: Double) async throws -> (
        session: MatchSession, item: MatchedMediaItem?, clock: ManualClock
    ) {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 6)
        // A reflection, later and weaker than the sound itself.
        let dry = broadcast.samples
        let blocks = BlockFeed(
            blocks: Broadcast.blocks(of: dry.indices.map { dry[$0] + ($0 >= 400 ? 0.7 * dry[$0 - 400] : 0) }),
            clock: ManualClock()
        )
        let clock = blocks.clock ?? ManualClock()
        let options = MatchSession.Options(
            repeats: .all,
            clock: clock.clock,
            keptAudio: MediaTime(seconds: kept)
        )
        let session = MatchSession(catalog: try Broadcast.catalog(), options: options)
        var item: MatchedMediaItem?
        for try await event in session.events(from: blocks) {
            if case .matched(let match, _) = event { item = match.mediaItems.first }
        }
        return (session, item, clock)
    }

    @Test("With the reference at hand the position is exact to half a millisecond, in an echo too")
    func exact() async throws {
        let (session, found, clock) = try await listened(kept: 4)
        let item = try #require(found)
        var reference = Piece(music: Broadcast.pieces[0])
        let refinement = try #require(try await session.refine(item, in: &reference))
        #expect(refinement.confidence > 0.5)
        let error = item.predictedCurrentMatchOffset.seconds - 20 - clock.now.seconds
        #expect(abs(error) < 0.000_5, "\(error)")
    }

    @Test("Without kept audio, or with audio of something else, the position stays as it is")
    func refused() async throws {
        var reference = Piece(music: Broadcast.pieces[0])
        let (session, found, _) = try await listened(kept: 0)
        #expect(try await session.refine(try #require(found), in: &reference) == nil)
        let (other, item, _) = try await listened(kept: 4)
        let before = try #require(item).predictedCurrentMatchOffset
        var wrong = Piece(music: Broadcast.pieces[1])
        #expect(try await other.refine(try #require(item), in: &wrong) == nil)
        #expect(item?.predictedCurrentMatchOffset == before)
    }
}
