public import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures
import Synchronization

/// Matches audio against a catalog: one signature at a time, or a stream that it follows.
///
/// ```swift
/// let session = MatchSession(catalog: catalog)
/// for try await event in session.events(from: microphone) {
///     if case .matched(let match, _) = event, let item = match.mediaItems.first {
///         show(item.title, at: item.predictedCurrentMatchOffset)
///     }
/// }
/// ```
///
/// Everything happens on the device. A session holds the catalog as it was given: what is added to it later is not seen,
/// until ``replace(_:)`` puts another in its place. All functions may be called from any thread.
public final class MatchSession: Sendable {
    /// How a session works.
    public struct Options: Sendable {
        /// Which of the matches of a stream are passed on.
        public var repeats: RepeatFilter
        /// The clock on which positions are predicted.
        public var clock: MediaClock
        /// How much of the audio is kept for ``MatchSession/refine(_:in:)``, up to 30 s.
        public var keptAudio: MediaTime

        /// Options.
        ///
        /// - Parameters:
        ///   - repeats: Which matches are passed on; those where content changes unless stated.
        ///   - clock: The clock on which positions are predicted; the machine's own unless stated.
        ///   - keptAudio: How much of the audio is kept for refining positions; nothing unless stated, 30 s at most.
        public init(
            repeats: RepeatFilter = .entryChanges,
            clock: MediaClock = .system,
            keptAudio: MediaTime = .zero
        ) {
            self.repeats = repeats
            self.clock = clock
            self.keptAudio = min(max(.zero, keptAudio), MediaTime(value: 30, timescale: 1))
        }
    }

    /// What became of one question.
    public enum Result: Sendable {
        /// References were found.
        case match(Match)
        /// Nothing was found. That is no error.
        case noMatch(Signature)
        /// The question could not be asked.
        case error(EarshotError, Signature)
    }

    /// The audio given to ``matchStreamingBuffer(_:at:)`` that may wait to be looked at: 10 s. When more comes, what waits
    /// is dropped.
    public static let backlog = MediaTime(value: 10, timescale: 1)

    private struct Receiver {
        weak var value: (any MatchSessionReceiver)?
    }

    let engine: SessionEngine
    private let receiver = Mutex(Receiver())
    private let broadcast = EventBroadcast<SessionEvent>(replay: .none, buffering: .bufferingNewest(1_000))

    /// A session that looks for what a catalog holds.
    ///
    /// - Parameters:
    ///   - catalog: What is looked for, as it is now.
    ///   - options: Which matches are passed on, and the clock.
    public init(catalog: Catalog, options: Options = Options()) {
        engine = SessionEngine(catalog, options: options)
    }

    /// The catalog that is searched now.
    public var catalog: Catalog { engine.catalog }

    /// Goes on with another catalog, without losing audio or, where it has the same references, what is followed. It is used
    /// from the next audio on; one that turns out damaged is reported as `failed`, and the old one goes on.
    public func replace(_ catalog: Catalog) { engine.replace(catalog) }

    /// Forgets the stream heard so far, before another one begins. What was pushed and not looked at yet is dropped.
    public func reset() { engine.reset() }

    // MARK: - One signature

    /// What a finished signature is.
    ///
    /// - Parameter signature: Within the catalog's query limits.
    /// - Returns: A match, no match, or an error: `signatureDurationInvalid`, `signatureInvalid` for silence, or
    ///   `catalogInvalid`.
    public func result(from signature: Signature) async -> Result { await engine.result(from: signature) }

    /// Asks what a finished signature is; the receiver and the sequences are told.
    public func match(_ signature: Signature) {
        engine.match(signature) { [weak self] event in self?.deliver([event]) }
    }

    // MARK: - A stream that is pushed

    /// Takes the next buffer of a stream and returns at once. What is found goes to the receiver and to ``events``.
    ///
    /// - Parameters:
    ///   - buffer: PCM of 8,000 to 192,000 Hz and 1 to 8 channels. Anything else is reported as `audioFormatInvalid`.
    ///   - time: When its first frame was heard, on a timeline of the caller's choice. Recommended where there is one: a
    ///     deviation of more than 10 ms from where the buffer before it ended is reported as `audioDiscontinuity`, and
    ///     the query then begins anew.
    public func matchStreamingBuffer(_ buffer: AudioBuffer, at time: MediaTime? = nil) {
        engine.enqueue(buffer, at: time) { [weak self] events in self?.deliver(events) }
    }

    /// Everything that the session says about pushed audio and about ``match(_:)``, from now on, filtered as the options
    /// say. Each call gives a sequence of its own; it ends with ``finish()``. Who does not read loses the oldest of more
    /// than 1,000 events.
    public var events: AsyncStream<SessionEvent> { broadcast.events }

    /// ``events`` in the short form: match, no match, error. What is lost is no result.
    public var results: some AsyncSequence<Result, Never> & Sendable {
        events.compactMap { @Sendable event in Result(event) }
    }

    /// Sets who is told. It is not kept alive by the session, and called on a thread of the session's own.
    public func setReceiver(_ receiver: (any MatchSessionReceiver)?) {
        self.receiver.withLock { $0.value = receiver }
    }

    /// Ends ``events`` and ``results`` when the audio given so far has been looked at.
    public func finish() {
        engine.afterAll { [broadcast] in broadcast.finish() }
    }

    private func deliver(_ events: [SessionEvent]) {
        let receiver = receiver.withLock { $0.value }
        for event in events {
            broadcast.send(event)
            guard let receiver else { continue }
            switch event {
            case .matched(let match, _): receiver.session(self, didFind: match)
            case .lost(let match): receiver.session(self, didLose: match)
            case .notMatched(let signature):
                receiver.session(self, didNotFindMatchFor: signature, error: nil)
            case .failed(let error, let signature):
                receiver.session(self, didNotFindMatchFor: signature, error: error)
            }
        }
    }
}

extension MatchSession.Result {
    /// An event as a result; `nil` for what is no answer.
    init?(_ event: SessionEvent) {
        switch event {
        case .matched(let match, _): self = .match(match)
        case .notMatched(let signature): self = .noMatch(signature)
        case .failed(let error, let signature): self = .error(error, signature)
        case .lost: return nil
        }
    }
}
