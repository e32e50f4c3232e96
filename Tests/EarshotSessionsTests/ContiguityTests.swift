import EarshotCatalogs
import EarshotCore
import EarshotSessions
import TestSupport
import Testing

@Suite("Times of a stream")
struct ContiguityTests {
    /// Two stretches of a piece, the second with its times moved.
    private func heard(
        moved milliseconds: Int64,
        skipping seconds: Double? = nil,
        repeats: RepeatFilter = .all
    ) async throws -> [Broadcast.Heard] {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 4)
        broadcast.play(0, from: 24 + (seconds ?? Double(milliseconds) / 1000), seconds: 5)
        let shift = MediaTime(value: milliseconds, timescale: 1000)
        let blocks = broadcast.blocks.enumerated().map { index, block in
            index < 40 ? block : AudioBlock(block.buffer, at: block.time + shift)
        }
        return try await broadcast.heard(by: Broadcast.catalog(), repeats: repeats, blocks: blocks)
    }

    @Test("A gap of 500 ms is reported once, and matching recovers", .requirements("R-CC-048", "R-CC-051"))
    func gap() async throws {
        let heard = try await heard(moved: 500)
        let errors = heard.compactMap(\.error)
        #expect(errors.map(\.code) == [.audioDiscontinuity])
        #expect(errors.first?.deviation == MediaTime(value: 1, timescale: 2))
        let after = try #require(heard.first { $0.time > 4.2 && $0.id == "one" })
        #expect(after.time < 9)
        #expect(abs(try #require(after.position) - 24.5 - (after.time - 4)) < 0.05)
        // Where the times say that it is, it was found: nothing was lost.
        #expect(!heard.contains { $0.isLost })
    }

    @Test("Times that go back are reported with a negative sign", .requirements("R-CC-052"))
    func backwards() async throws {
        let heard = try await heard(moved: -2_000)
        let error = try #require(heard.compactMap(\.error).first)
        #expect(error.code == .audioDiscontinuity)
        #expect(error.deviation == MediaTime(value: -2, timescale: 1))
        #expect(heard.compactMap(\.error).count == 1)
        let last = try #require(heard.last)
        #expect(abs(try #require(last.position) - 22 - (last.time - 4)) < 0.05)
    }

    @Test("A time that is given twice is reported with a negative sign", .requirements("R-CC-052"))
    func repeated() async throws {
        // As much as a block lasts: the first behind it has the time of the one before.
        let errors = try await heard(moved: -100).compactMap(\.error)
        #expect(errors.map(\.code) == [.audioDiscontinuity])
        #expect(errors.first?.deviation == MediaTime(value: -1, timescale: 10))
    }

    @Test(
        "After times that go back half a minute, another piece is found, and the one before is lost",
        .requirements("R-CC-052")
    )
    func farBackwards() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 0, seconds: 40)
        broadcast.play(1, from: 20, seconds: 10)
        let back = MediaTime(value: -35, timescale: 1)
        let blocks = broadcast.blocks.enumerated().map { index, block in
            index < 400 ? block : AudioBlock(block.buffer, at: block.time + back)
        }
        let heard = try await broadcast.heard(by: Broadcast.catalog(), blocks: blocks)
        let found = try #require(heard.first { $0.time > 40 && $0.id == "two" })
        #expect(found.time < 44)
        #expect(heard.contains { $0.time > 40 && $0.isLost })
        #expect(heard.filter { $0.id == "two" }.count > 2)
    }

    @Test("Ten milliseconds are jitter, eleven are a gap", .requirements("R-CC-050"), arguments: [10, 11, -10, -11])
    func jitter(milliseconds: Int64) async throws {
        let heard = try await heard(moved: milliseconds, skipping: 0)
        #expect(heard.compactMap(\.error).count == (abs(milliseconds) > 10 ? 1 : 0))
    }

    @Test("Behind a gap a prediction is stale until the reference is heard again")
    func stale() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 4)
        let clock = ManualClock()
        let session = MatchSession(catalog: try Broadcast.catalog(), options: .init(repeats: .all, clock: clock.clock))
        var item: MatchedMediaItem?
        for try await event in session.events(from: BlockFeed(blocks: broadcast.blocks, clock: clock)) {
            if case .matched(let match, _) = event { item = match.mediaItems.first }
        }
        #expect(item?.position.isStale == false)
        let later = MediaTime(value: 100, timescale: 1)
        let silence = AudioBlock(AudioBuffer([Float](repeating: 0, count: 1_600), sampleRate: 16_000), at: later)
        for try await _ in session.events(from: BlockFeed(blocks: [silence], clock: clock)) {}
        #expect(item?.position.isStale == true)
        #expect(item.map { $0.predictedCurrentMatchOffset.seconds > 23.9 } == true)
    }

    @Test("Another sample rate midway is taken as it comes", .requirements("R-CC-056"))
    func format() async throws {
        let low = Broadcast.pieces[0].samples(from: 20, seconds: 3, sampleRate: 44_100)
        let high = Broadcast.pieces[0].samples(from: 23, seconds: 4, sampleRate: 48_000)
        let blocks = [
            AudioBlock(AudioBuffer(low, sampleRate: 44_100), at: .zero),
            AudioBlock(AudioBuffer(high, sampleRate: 48_000), at: MediaTime(value: 3, timescale: 1)),
        ]
        let heard = try await Broadcast().heard(by: Broadcast.catalog(), blocks: blocks)
        #expect(heard.compactMap(\.error).isEmpty)
        let last = try #require(heard.last)
        // Heard at the second rate.
        #expect(last.time > 3)
        #expect(last.id == "one")
        #expect(abs(try #require(last.match?.references.first).offset.seconds - 20) < 0.05)
    }

    @Test("Audio that cannot be used is an error, and the stream goes on", .requirements("R-CC-054"))
    func unusable() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 3)
        let bad = AudioBlock(AudioBuffer([Float](repeating: 0, count: 100), sampleRate: 4_000), at: .zero)
        let heard = try await broadcast.heard(by: Broadcast.catalog(), blocks: [bad] + broadcast.blocks)
        #expect(heard.first?.error?.code == .audioFormatInvalid)
        #expect(heard.last?.id == "one")
    }
}
