import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import TestSupport
import Testing

@Suite("Events of timed content")
struct TimedContentEventsTests {
    /// Lets other tasks run until a condition holds.
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("Events come at their instants between updates", .requirements("R-CC-082"))
    func follows() async throws {
        let clock = ManualClock()
        let (updates, input) = AsyncStream.makeStream(of: PositionPrediction?.self)
        let events = TimedContentPlayer.events(of: try TimelineTests.lesson(), following: updates, clock: clock.clock)
        var iterator = events.makeAsyncIterator()
        input.yield(playing(13, at: 0))
        await until { clock.sleeperCount == 1 }
        clock.advance(by: 1)
        #expect(await iterator.next()?.word == "+a")
        // A later update moves the next event; the old timer is gone.
        await until { clock.sleeperCount == 1 }
        input.yield(playing(20.5, at: 1))
        await until { clock.sleeperCount == 1 }
        clock.advance(by: 0.5)
        #expect(await iterator.next()?.word == "-a")
        #expect(await iterator.next()?.word == "+b")
        input.yield(nil)
        #expect(await iterator.next()?.word == "-b")
        await until { clock.sleeperCount == 0 }
        input.finish()
        #expect(await iterator.next() == nil)
    }

    @Test("When the updates end, the last prediction is played out")
    func ends() async throws {
        let clock = ManualClock()
        let (updates, input) = AsyncStream.makeStream(of: PositionPrediction?.self)
        let events = TimedContentPlayer.events(of: try TimelineTests.lesson(), following: updates, clock: clock.clock)
        var iterator = events.makeAsyncIterator()
        input.yield(playing(20))
        #expect(await iterator.next()?.word == "+a")
        input.finish()
        await until { clock.sleeperCount == 1 }
        clock.advance(by: 1)
        #expect(await iterator.next()?.word == "-a")
        #expect(await iterator.next()?.word == "+b")
        await until { clock.sleeperCount == 1 }
        clock.advance(by: 4)
        #expect(await iterator.next()?.word == "-b")
        #expect(await iterator.next()?.word == "+c")
        // At 31 s the prediction is eleven seconds old.
        #expect(await iterator.next() == nil)
    }

    @Test("Whoever stops reading leaves no timer behind")
    func cancelled() async throws {
        let clock = ManualClock()
        let (updates, input) = AsyncStream.makeStream(of: PositionPrediction?.self)
        let timeline = try TimelineTests.lesson()
        let reader = Task {
            for await _ in TimedContentPlayer.events(of: timeline, following: updates, clock: clock.clock) {}
        }
        input.yield(playing(20))
        await until { clock.sleeperCount == 1 }
        reader.cancel()
        await reader.value
        await until { clock.sleeperCount == 0 }
        _ = input
    }
}
