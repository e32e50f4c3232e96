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
/// All matching happens on the device. A session keeps the catalog that it was given: references that are added to it
/// later are not found, until ``replace(_:)`` sets another catalog. All methods may be called from any thread.
public final class MatchSession: Sendable {
    /// The settings of a session.
    public struct Options: Sendable {
        /// The filter for repeated matches of a stream.
        public var repeats: RepeatFilter
        /// The clock on which positions are predicted.
        public var clock: MediaClock
        /// The duration of audio kept for ``MatchSession/refine(_:in:)``, up to 30 s.
        public var keptAudio: MediaTime

        /// Options.
        ///
        /// - Parameters:
        ///   - repeats: The filter for repeated matches. Default: matches where the content changes.
        ///   - clock: The clock on which positions are predicted; the machine's own unless stated.
        ///   - keptAudio: The duration of audio kept for refining positions, up to 30 s. Default: none.
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

    /// The result of one request.
    public enum Result: Sendable {
        /// References were found.
        case match(Match)
        /// No match. This is not an error.
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

    /// Creates a session that searches a catalog.
    ///
    /// - Parameters:
    ///   - catalog: The catalog to search. Later changes to it are not seen.
    ///   - options: The filter for repeated matches, and the clock.
    public init(catalog: Catalog, options: Options = Options()) {
        engine = SessionEngine(catalog, options: options)
    }

    /// The catalog that is searched now.
    public var catalog: Catalog { engine.catalog }

    /// Replaces the catalog without losing audio, or the tracking of references that are in both catalogs. The new
    /// catalog is used from the next audio on. If it is damaged, the session reports `failed` and keeps the old one.
    public func replace(_ catalog: Catalog) { engine.replace(catalog) }

    /// Forgets the stream so far, before another one begins. Buffers that were not processed yet are dropped.
    public func reset() { engine.reset() }

    // MARK: - One signature

    /// Matches a finished signature, and returns the result.
    ///
    /// - Parameter signature: Within the catalog's query limits.
    /// - Returns: A match, no match, or an error: `signatureDurationInvalid`, `signatureInvalid` for silence, or
    ///   `catalogInvalid`.
    public func result(from signature: Signature) async -> Result { await engine.result(from: signature) }

    /// Matches a finished signature. The receiver and the sequences get the result.
    public func match(_ signature: Signature) {
        engine.match(signature) { [weak self] event in self?.deliver([event]) }
    }

    // MARK: - A stream that is pushed

    /// Takes the next buffer of a stream and returns at once. What is found goes to the receiver and to ``events``.
    ///
    /// - Parameters:
    ///   - buffer: PCM of 8,000 to 192,000 Hz and 1 to 8 channels. Anything else is reported as `audioFormatInvalid`.
    ///   - time: The time of its first frame, on a timeline of the caller's choice. Recommended if known: a deviation
    ///     of more than 10 ms from the end of the previous buffer is reported as `audioDiscontinuity`, and the query
    ///     restarts.
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

    /// Sets the receiver of results. The session does not retain it, and calls it on a thread of its own.
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
    /// Converts an event to a result; `nil` for events that are not results.
    init?(_ event: SessionEvent) {
        switch event {
        case .matched(let match, _): self = .match(match)
        case .notMatched(let signature): self = .noMatch(signature)
        case .failed(let error, let signature): self = .error(error, signature)
        case .lost: return nil
        }
    }
}
