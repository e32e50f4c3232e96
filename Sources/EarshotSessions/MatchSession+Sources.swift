public import EarshotCore

extension MatchSession {
    /// The session events of a source – a microphone, a file or a stream – as it is read.
    ///
    /// Audio is read only as fast as events are consumed, so a file is processed at full speed without queues. Block
    /// times are checked as in ``matchStreamingBuffer(_:at:)``. A session processes one source at a time, and treats
    /// the next one as its continuation unless ``reset()`` is called between them. The receiver and ``events`` do not
    /// get these events.
    ///
    /// - Parameter source: Audio with times, read once.
    /// - Returns: Events until the source ends; the sequence throws what the source throws.
    public func events<Source: AudioSource>(from source: Source) -> SourceEvents<Source> {
        SourceEvents(source: source, engine: engine)
    }

    /// Matches the next buffer of a stream, and returns its events: for callers that read the source themselves, act
    /// between buffers, or use their own clock. The receiver and ``events`` do not get these events.
    ///
    /// - Parameters:
    ///   - buffer: A buffer, as for ``matchStreamingBuffer(_:at:)``; a buffer that cannot be used gives an event too.
    ///   - time: The time of its first frame, on a timeline of the caller's choice.
    /// - Returns: The events that the options let pass, in order; mostly none.
    package func events(in buffer: AudioBuffer, at time: MediaTime? = nil) async -> [SessionEvent] {
        await engine.process(buffer, at: time)
    }
}

/// The events of a session that reads a source.
public struct SourceEvents<Source: AudioSource>: AsyncSequence, Sendable {
    /// The event.
    public typealias Element = SessionEvent

    let source: Source
    let engine: SessionEngine

    /// An iterator that reads the source.
    public func makeAsyncIterator() -> Iterator {
        Iterator(blocks: source.makeAsyncIterator(), engine: engine)
    }

    /// Reads audio until there is something to say.
    public struct Iterator: AsyncIteratorProtocol {
        var blocks: Source.AsyncIterator
        let engine: SessionEngine
        private var waiting: ArraySlice<SessionEvent> = []

        init(blocks: Source.AsyncIterator, engine: SessionEngine) {
            self.blocks = blocks
            self.engine = engine
        }

        /// The next event; `nil` if the source has ended.
        ///
        /// - Throws: The source's errors.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> SessionEvent? {
            while true {
                if let event = waiting.popFirst() { return event }
                guard let block = try await blocks.next(isolation: actor) else { return nil }
                waiting = await engine.process(block.buffer, at: block.time)[...]
            }
        }
    }
}
