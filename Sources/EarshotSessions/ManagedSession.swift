public import EarshotCatalogs
public import EarshotCore
import EarshotSignatures
import Synchronization

/// A session that looks after the microphone itself.
///
/// ```swift
/// let session = ManagedSession(catalog: catalog) { try await CaptureSource() }
/// session.prepare()
/// if case .match(let match) = await session.result() { show(match.mediaItems) }
/// ```
///
/// Recording begins with ``prepare()`` or with the first question, and ends with the answer, with ``cancel()``, or when
/// nobody reads ``results`` any more. One question is answered at a time; another one ends it.
public final class ManagedSession: Sendable {
    /// The state of a session.
    public enum State: String, Hashable, Sendable {
        /// Nothing; the microphone is off.
        case idle
        /// It records, so that a question has audio at once, and keeps the last ten seconds.
        case prerecording
        /// It records and looks for matches.
        case matching
    }

    /// Audio that is kept before a question is asked.
    static let keptAudio = MediaTime(value: 10, timescale: 1)

    private struct Recording: Sendable {
        let number: Int
        let blocks: AudioChannel
        let task: Task<Void, Never>

        func stop() {
            blocks.cancel()
            task.cancel()
        }
    }

    private struct ProtectedState {
        var machine = ManagedState()
        var recording: Recording?
        var count = 0
    }

    private let catalogBox: Mutex<Catalog>
    private let options: MatchSession.Options
    private let makeSource: @Sendable () async throws -> any AudioSource
    private let protected = Mutex(ProtectedState())
    private let broadcast = EventBroadcast(replay: .latest, buffering: .unbounded, initial: State.idle)

    /// A session over a source that is opened when it is needed, each time anew.
    ///
    /// - Parameters:
    ///   - catalog: The catalog to search.
    ///   - options: The settings of the session.
    ///   - source: Opens the microphone, or another source in its place. Its error becomes the result.
    public init(
        catalog: Catalog,
        options: MatchSession.Options = .init(),
        source: @escaping @Sendable () async throws -> any AudioSource
    ) {
        catalogBox = Mutex(catalog)
        self.options = options
        makeSource = source
    }

    /// The catalog that the next request searches.
    public var catalog: Catalog {
        get { catalogBox.withLock { $0 } }
        set { catalogBox.withLock { $0 = newValue } }
    }

    /// The current state of the session.
    public var state: State { protected.withLock { $0.machine.state } }

    /// The changes of state, beginning with the current one.
    public var states: AsyncStream<State> { broadcast.events }

    /// Starts recording, so that the next request is answered sooner. Has no effect while recording.
    public func prepare() { change { $0.prepare() } }

    /// Records until a match, until 12 s of audio had no match, or until an error; then closes the microphone.
    ///
    /// - Returns: The match; no match, also when the source ends before; or an error: what the source threw, such as
    ///   `microphoneUnavailable`, and `cancelled` after ``cancel()`` or when the task is canceled.
    public func result() async -> MatchSession.Result {
        let cancelled = EarshotError(.cancelled, "Listening was canceled.")
        var answer = MatchSession.Result.error(cancelled, SignatureGenerator().signature())
        let rest = await listen { result in
            // Blocks that were dropped before the question leave a gap, which is nobody's fault.
            if case .error(let error, _) = result, error.code == .audioDiscontinuity { return true }
            answer = result
            return false
        }
        return rest.map { .noMatch($0) } ?? answer
    }

    /// Listens on and on, and gives what the options let through, until it is canceled, the source ends, or nobody reads
    /// any more.
    public var results: AsyncStream<MatchSession.Result> {
        AsyncStream { continuation in
            let task = Task { [weak self] in
                _ = await self?.listen { result in
                    if case .terminated = continuation.yield(result) { return false }
                    return true
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Ends recording and whatever waits for an answer.
    public func cancel() { change { $0.stop() } }

    // MARK: - Parts

    /// Listens, from the audio recorded so far on, for as long as results are wanted.
    ///
    /// - Returns: The last seconds, when the source has ended while more was wanted.
    private func listen(_ body: (MatchSession.Result) -> Bool) async -> Signature? {
        // Another question that is still open ends here.
        if state == .matching { cancel() }
        change { $0.match() }
        guard let recording = protected.withLock({ $0.recording }) else { return nil }
        var isWanted = true
        let engine = SessionEngine(catalog, options: options)
        await withTaskCancellationHandler {
            do throws(EarshotError) {
                listening: while let block = try await recording.blocks.next() {
                    for event in await engine.process(block.buffer, at: block.time) {
                        guard let result = MatchSession.Result(event) else { continue }
                        isWanted = body(result)
                        if !isWanted { break listening }
                    }
                }
            } catch {
                _ = body(.error(error, SignatureGenerator().signature()))
                isWanted = false
            }
        } onCancel: {
            recording.stop()
        }
        let isStopped = protected.withLock { $0.recording?.number != recording.number } || Task.isCancelled
        end(recording.number)
        return isWanted && !isStopped ? await engine.query() : nil
    }

    /// Ends a recording, unless another has begun since.
    private func end(_ number: Int) {
        guard protected.withLock({ $0.recording?.number == number }) else { return }
        change { $0.stop() }
    }

    /// Changes the state and does what follows from it.
    private func change(_ body: (inout ManagedState) -> ManagedState.Action?) {
        let cancelled: Recording? = protected.withLock { protected in
            let before = protected.machine.state
            let action = body(&protected.machine)
            defer {
                if protected.machine.state != before { broadcast.send(protected.machine.state) }
            }
            switch action {
            case .record:
                protected.count += 1
                protected.recording = record(protected.count)
                return nil
            case .stopRecording:
                defer { protected.recording = nil }
                return protected.recording
            case nil: return nil
            }
        }
        cancelled?.stop()
    }

    private func record(_ number: Int) -> Recording {
        let blocks = AudioChannel(capacity: Self.keptAudio)
        let task = Task { [makeSource] in
            do {
                try await Self.pass(try await makeSource(), to: blocks)
                blocks.finish()
            } catch is CancellationError {
                blocks.finish()
            } catch {
                let isCancelled = (error as? EarshotError)?.code == .cancelled
                blocks.finish(throwing: isCancelled ? nil : Self.failure(error))
            }
        }
        return Recording(number: number, blocks: blocks, task: task)
    }

    /// Buffers the last audio until it is read. Then the source waits, so that no audio is lost if it delivers faster
    /// than the session matches.
    private static func pass(_ source: some AudioSource, to blocks: AudioChannel) async throws {
        for try await block in source {
            if blocks.isConsumed {
                guard await blocks.sendWaiting(block) else { return }
            } else {
                guard !blocks.isFinished else { return }
                blocks.send(block)
            }
        }
    }

    private static func failure(_ error: any Error) -> EarshotError {
        error as? EarshotError
            ?? EarshotError(.readFailed, "The audio source failed: check it, and listen again.", cause: error)
    }
}
