public import EarshotCatalogs
public import EarshotCore

extension TimedContentPlayer {
    /// Returns the events of a timeline, each at its time. Between updates, events follow from the last prediction of
    /// the playback position.
    ///
    /// The stream ends when the updates have ended and the last prediction leads to no more events, or when the reader
    /// stops. No task or timer remains then.
    ///
    /// - Parameters:
    ///   - timeline: The timeline.
    ///   - configuration: The settings for following positions.
    ///   - updates: The predictions of the playback position, as matches arrive; `nil` if the match was lost.
    ///   - clock: The clock that the predictions refer to.
    public static func events<Updates: AsyncSequence & Sendable>(
        of timeline: Timeline,
        configuration: Configuration = Configuration(),
        following updates: Updates,
        clock: MediaClock = .system
    ) -> AsyncStream<TimedEvent> where Updates.Element == PositionPrediction?, Updates.Failure == Never {
        let (events, output) = AsyncStream.makeStream(of: TimedEvent.self)
        let work = Task {
            var player = TimedContentPlayer(timeline, configuration: configuration)
            await player.follow(updates, clock: clock, output: output)
            output.finish()
        }
        output.onTermination = { _ in work.cancel() }
        return events
    }

    private enum Signal: Sendable {
        case update(PositionPrediction?)
        case ended
        case timer
    }

    private mutating func follow<Updates: AsyncSequence & Sendable>(
        _ updates: Updates,
        clock: MediaClock,
        output: AsyncStream<TimedEvent>.Continuation
    ) async where Updates.Element == PositionPrediction?, Updates.Failure == Never {
        let (signals, input) = AsyncStream.makeStream(of: Signal.self)
        async let _: Void = {
            for await update in updates { input.yield(.update(update)) }
            input.yield(.ended)
        }()
        var iterator = signals.makeAsyncIterator()
        var isOver = false
        while !Task.isCancelled {
            let deadline = nextEventTime(after: clock.now)
            if isOver, deadline == nil { break }
            // A timer of this round only: whichever signal comes first ends it.
            async let _: Void = {
                guard let deadline, (try? await clock.sleep(until: deadline)) != nil else { return }
                input.yield(.timer)
            }()
            guard let signal = await iterator.next(isolation: #isolation) else { break }
            switch signal {
            case .update(let prediction):
                for event in update(position: prediction, now: clock.now) { output.yield(event) }
            case .timer:
                for event in advance(to: clock.now) { output.yield(event) }
            case .ended:
                isOver = true
            }
        }
        // Leaving the scope cancels the pump and waits for it.
    }
}
