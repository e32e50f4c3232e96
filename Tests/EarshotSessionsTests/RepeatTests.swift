import EarshotCatalogs
import EarshotCore
import EarshotSessions
import TestSupport
import Testing

@Suite("Repeated matches")
struct RepeatTests {
    private func plain(_ seconds: Double) -> Broadcast {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: seconds)
        return broadcast
    }

    @Test("Without a filter the same match comes again and again", .requirements("R-CC-071"))
    func all() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 12, seconds: 60)
        let heard = try await broadcast.heard(by: Broadcast.catalog(), repeats: .all)
        #expect(heard.count >= 5)
        #expect(heard.allSatisfy { $0.id == "one" })
    }

    @Test("By item, each is passed once", .requirements("R-CC-073"))
    func items() async throws {
        var broadcast = plain(6)
        broadcast.play(1, from: 5, seconds: 6)
        let heard = try await broadcast.heard(by: Broadcast.catalog(), repeats: .itemChanges)
        #expect(heard.compactMap(\.id) == ["one", "two"])
    }

    @Test(
        "After a pause of fifteen seconds the same item is passed once more, after one of three it is not",
        .requirements("R-CC-075", "R-CC-064"),
        arguments: [(15.0, 2), (3, 1)]
    )
    func pause(seconds: Double, count: Int) async throws {
        var broadcast = plain(5)
        broadcast.silence(seconds)
        broadcast.play(0, from: 25, seconds: 5)
        let heard = try await broadcast.heard(by: Broadcast.catalog(), repeats: .itemChanges)
        #expect(heard.compactMap(\.id) == Array(repeating: "one", count: count))
        if seconds > 10 {
            let again = try #require(heard.last)
            #expect(again.time < 25)
            #expect(abs(try #require(again.position) - 25 - (again.time - 20)) < 0.05)
        }
    }

    @Test("Who was told that an item is lost is told that it is back")
    func lostAndBack() async throws {
        var broadcast = plain(5)
        broadcast.silence(6)
        broadcast.play(0, from: 25, seconds: 5)
        let heard = try await broadcast.heard(by: Broadcast.catalog(), repeats: .itemChanges)
        #expect(heard.map(\.isLost) == [false, true, false])
        #expect(heard.last?.changes.contains(.returned) == true)
    }

    @Test("Silence makes a prediction stale between ten and eleven seconds on", .requirements("R-CC-064"))
    func stale() async throws {
        var broadcast = plain(5)
        broadcast.silence(12)
        let clock = ManualClock()
        let session = MatchSession(catalog: try Broadcast.catalog(), options: .init(repeats: .all, clock: clock.clock))
        let blocks = BlockFeed(blocks: broadcast.blocks, clock: clock)
        var position: LivePosition?
        var lostAt: Double?
        for try await event in session.events(from: blocks) {
            if case .matched(let match, _) = event { position = match.positions.first }
            if case .lost = event { lostAt = clock.now.seconds }
        }
        let prediction = try #require(position).prediction
        let stale = prediction.confirmedAt.seconds + 10
        #expect(stale - 5 >= 9.5)
        #expect(stale - 5 <= 11)
        #expect(!prediction.isStale(at: MediaTime(seconds: stale - 0.01)))
        #expect(prediction.isStale(at: MediaTime(seconds: stale + 0.01)))
        // That it is heard no longer is said before.
        #expect(try #require(lostAt) < 11)
    }

    @Test("At the end of the reference the position stops", .requirements("R-CC-065"))
    func ended() async throws {
        var broadcast = Broadcast()
        broadcast.play(1, from: 54, seconds: 6)
        broadcast.silence(4)
        let clock = ManualClock()
        let session = MatchSession(catalog: try Broadcast.catalog(), options: .init(repeats: .all, clock: clock.clock))
        var item: MatchedMediaItem?
        for try await event in session.events(from: BlockFeed(blocks: broadcast.blocks, clock: clock)) {
            if case .matched(let match, _) = event { item = match.mediaItems.first }
        }
        let found = try #require(item)
        #expect(found.predictedCurrentMatchOffset == found.match.referenceDuration)
        #expect(found.position.hasEnded)
    }
}
