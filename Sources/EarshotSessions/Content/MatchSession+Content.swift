import EarshotCatalogs
public import EarshotCore

/// An event of a live source: a match, or an event of its timed content.
public enum LiveEvent: Sendable {
    /// An event of the session.
    case session(SessionEvent)
    /// An event of the timed content of a match.
    case content(TimedContentScheduler.Event)
    /// Audio was heard up to this time of the source; its loudest sample, 1 being full scale.
    case level(peak: Double, until: MediaTime)
}

extension MatchSession {
    /// The matches in a live source and the events of their timed content, each delivered at its time, also between
    /// matches.
    ///
    /// The source sets the pace: what it delivers is taken as it comes. For a file wrap it so that it plays in real time, or
    /// use ``events(from:)``, which has no content.
    ///
    /// - Parameters:
    ///   - source: A microphone, a stream.
    ///   - follower: The scheduler, with the content to show and its settings.
    /// - Returns: Events until the source ends; it throws what the source throws. Ending to read them ends everything.
    public func liveEvents<Source: AudioSource>(
        from source: Source,
        content follower: TimedContentScheduler = TimedContentScheduler()
    ) -> AsyncThrowingStream<LiveEvent, any Error> {
        let (events, output) = AsyncThrowingStream<LiveEvent, any Error>.makeStream()
        let clock = engine.clock
        let work = Task { [engine] in
            var follower = follower
            let (signals, input) = AsyncStream.makeStream(of: Signal.self)
            let reader = Task {
                do {
                    for try await block in source {
                        let events = await engine.process(block.buffer, at: block.time)
                        input.yield(.heard(events, peak: block.buffer.peak, until: block.endTime))
                    }
                    input.yield(.ended(nil))
                } catch {
                    input.yield(.ended(error))
                }
            }
            defer { reader.cancel() }
            await withTaskCancellationHandler {
                let end = await Self.follow(&follower, signals, input, clock: clock, output: output)
                output.finish(throwing: end)
            } onCancel: {
                reader.cancel()
                input.finish()
            }
        }
        output.onTermination = { _ in work.cancel() }
        return events
    }

    private enum Signal: Sendable {
        case heard([SessionEvent], peak: Double, until: MediaTime)
        case timer
        case ended((any Error)?)
    }

    /// Passes on what is heard and what becomes due, until the source ends.
    private static func follow(
        _ follower: inout TimedContentScheduler,
        _ signals: AsyncStream<Signal>,
        _ input: AsyncStream<Signal>.Continuation,
        clock: MediaClock,
        output: AsyncThrowingStream<LiveEvent, any Error>.Continuation
    ) async -> (any Error)? {
        var iterator = signals.makeAsyncIterator()
        while !Task.isCancelled {
            let deadline = follower.nextEventTime(after: clock.now)
            // A timer of this round only: whichever signal comes first ends it.
            async let _: Void = {
                guard let deadline, (try? await clock.sleep(until: deadline)) != nil else { return }
                input.yield(.timer)
            }()
            guard let signal = await iterator.next(isolation: #isolation) else { return nil }
            switch signal {
            case .heard(let events, let peak, let until):
                output.yield(.level(peak: peak, until: until))
                for event in events {
                    output.yield(.session(event))
                    for change in follower.take(event, now: clock.now) { output.yield(.content(change)) }
                }
                for change in follower.advance(to: clock.now) { output.yield(.content(change)) }
            case .timer:
                for change in follower.advance(to: clock.now) { output.yield(.content(change)) }
            case .ended(let error):
                return error
            }
        }
        return nil
    }
}

extension AudioBuffer {
    /// The loudest sample; 1 is full scale.
    fileprivate var peak: Double {
        switch samples {
        case .int16(let samples): Double(samples.reduce(0) { max($0, $1.magnitude) }) / 32_768
        case .float32(let samples): Double(samples.reduce(0) { max($0, abs($1)) })
        }
    }
}
