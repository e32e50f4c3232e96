import EarshotCore
import Synchronization
import Testing

@Suite("Events for many listeners")
struct EventBroadcastTests {
    private func all(_ stream: AsyncStream<Int>) async -> [Int] {
        var events: [Int] = []
        for await event in stream { events.append(event) }
        return events
    }

    @Test("A listener gets the past that the broadcast keeps, then everything")
    func replay() async {
        let expected: [(EventBroadcast<Int>.Replay, [Int], [Int])] = [
            (.none, [3, 4], []), (.latest, [2, 3, 4], [4]), (.all, [1, 2, 3, 4], [1, 2, 3, 4]),
        ]
        for (replay, late, afterEnd) in expected {
            let broadcast = EventBroadcast<Int>(replay: replay, buffering: .unbounded)
            let early = broadcast.events
            for event in 1...2 { broadcast.send(event) }
            let stream = broadcast.events
            for event in 3...4 { broadcast.send(event) }
            broadcast.finish()
            broadcast.send(5)
            #expect(await all(early) == [1, 2, 3, 4])
            #expect(await all(stream) == late)
            #expect(await all(broadcast.events) == afterEnd)
        }
    }

    @Test("An initial event counts as sent")
    func initial() async {
        let broadcast = EventBroadcast(replay: .latest, buffering: .unbounded, initial: 7)
        let stream = broadcast.events
        broadcast.finish()
        #expect(await all(stream) == [7])
    }

    @Test("A slow listener loses the oldest events beyond the buffer, and no other listener does")
    func buffering() async {
        let broadcast = EventBroadcast<Int>(replay: .none, buffering: .bufferingNewest(2))
        let slow = broadcast.events
        var fast = broadcast.events.makeAsyncIterator()
        for event in 1...4 {
            broadcast.send(event)
            #expect(await fast.next() == event)
        }
        broadcast.finish()
        #expect(await all(slow) == [3, 4])
    }

    @Test("Streams end when the broadcast is released")
    func release() async throws {
        var broadcast: EventBroadcast<Int>? = EventBroadcast(replay: .none, buffering: .unbounded)
        let stream = try #require(broadcast?.events)
        broadcast?.send(1)
        broadcast = nil
        #expect(await all(stream) == [1])
    }

    @Test("A listener that goes away is removed, and its end is told once")
    func leaving() async {
        let broadcast = EventBroadcast<Int>(replay: .none, buffering: .unbounded)
        let ends = Mutex(0)
        let task = Task { [stream = broadcast.events { ends.withLock { $0 += 1 } }] in await all(stream) }
        #expect(!broadcast.isEmpty)
        task.cancel()
        _ = await task.value
        #expect(broadcast.isEmpty && ends.withLock { $0 } == 1)
    }

    @Test("Senders on many threads lose nothing")
    func threads() async {
        let broadcast = EventBroadcast<Int>(replay: .all, buffering: .unbounded)
        let stream = broadcast.events
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask { for number in 0..<250 { broadcast.send(sender * 250 + number) } }
            }
        }
        broadcast.finish()
        let events = await all(stream)
        #expect(events.sorted() == Array(0..<1_000))
        #expect(await all(broadcast.events) == events)
    }
}
