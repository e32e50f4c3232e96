import EarshotCatalogs
import EarshotCore
import EarshotSessions
import EarshotTimedContent
import TestSupport
import Testing

@Suite("Content of what is heard")
struct ContentTests {
    static func entry(_ id: String, _ start: Int64) -> TimedEntry {
        TimedEntry(id: id, title: id, start: MediaTime(value: start, timescale: 1))
    }

    /// A catalog whose first piece has entries, by default at 14, 21, 25 and 31 seconds.
    static func catalog(
        _ entries: [TimedEntry] = [entry("first", 14), entry("apple", 21), entry("three", 25), entry("answer", 31)]
    ) throws -> Catalog {
        let timeline = try Timeline(entries)
        let item = try MediaItem(properties: [.title: "Lesson"]).with(timeline: timeline)
        var catalog = Catalog()
        try catalog.add(Broadcast.signatures.get()[0], representing: [item], id: "one")
        return catalog
    }

    @Test(
        "Only changes of the timed entry are passed on; going back to one is a change",
        .requirements("R-CC-072", "R-CC-074")
    )
    func filter() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 12, seconds: 60)
        let inside = try await broadcast.heard(by: Self.catalog([Self.entry("long", 5)]), repeats: .entryChanges)
        #expect(inside.count == 1)
        broadcast = Broadcast()
        broadcast.play(0, from: 18, seconds: 9)
        broadcast.play(0, from: 15, seconds: 4)
        let heard = try await broadcast.heard(by: Self.catalog(), repeats: .entryChanges)
        // First, apple at 21, three at 25, and first again.
        #expect(heard.first?.changes == [.appeared])
        #expect(heard.dropFirst().allSatisfy { $0.changes.contains(.entries) })
        let positions = heard.compactMap(\.position)
        #expect(positions.count == 4)
        #expect(abs(positions[1] - 21) < 0.3 && abs(positions[2] - 25) < 0.3 && positions[3] < 19)
    }

    @Test("Playback that is rewound and skipped shows what belongs there", .requirements("R-CC-105"))
    func script() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 12, seconds: 6)
        broadcast.play(0, from: 22, seconds: 5)
        broadcast.play(0, from: 15, seconds: 3)
        let clock = ManualClock()
        let session = MatchSession(catalog: try Self.catalog(), options: .init(repeats: .all, clock: clock.clock))
        var follower = TimedContentScheduler()
        var shown: [(time: Double, what: String)] = []
        func note(_ events: [TimedContentScheduler.Event]) {
            for event in events {
                #expect(event.id == "one")
                switch event.event {
                case .entered(let entry): shown.append((clock.now.seconds, "+" + entry.id))
                case .left(let entry): shown.append((clock.now.seconds, "-" + entry.id))
                default: break
                }
            }
        }
        for block in broadcast.blocks {
            clock.advance(by: block.buffer.duration.seconds)
            for event in await session.events(in: block.buffer, at: block.time) {
                note(follower.take(event, now: clock.now))
            }
            note(follower.advance(to: clock.now))
        }
        #expect(shown.map(\.what) == ["+first", "-first", "+apple", "-apple", "+three", "-three", "+first"])
        guard shown.count == 7 else { return }
        // The entry at 14 s appears two seconds in; after the seek at 6 s the place is known within 1.5 s.
        #expect(abs(shown[0].time - 2) <= 0.11)
        #expect(shown[1].time > 6 && shown[1].time <= 7.6)
        #expect(shown[5].time > 11 && shown[5].time <= 12.6)
    }

    @Test("Content comes at its time while a live source is heard", .requirements("R-CC-082"))
    func live() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 12, seconds: 5)
        let clock = ManualClock()
        let session = MatchSession(catalog: try Self.catalog(), options: .init(clock: clock.clock))
        var entered: [String] = []
        var levels = 0
        let blocks = BlockFeed(blocks: broadcast.blocks, clock: clock)
        for try await event in session.liveEvents(from: blocks) {
            switch event {
            case .content(let change):
                if case .entered(let entry) = change.event { entered.append(entry.id) }
            case .level(let peak, _):
                levels += 1
                #expect(peak > 0 && peak <= 1)
            case .session: break
            }
        }
        #expect(entered == ["first"])
        #expect(levels == broadcast.blocks.count)
    }
}
