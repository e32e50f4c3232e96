import Dispatch
import EarshotCore
import Synchronization

/// Keeps a live source going: opens its connection, reads it on a thread of its own, and opens it again when it is lost.
///
/// Unchecked, because the compiler cannot see that `input` is touched on `queue` only.
final class CaptureEngine: @unchecked Sendable {
    typealias Opening = @Sendable (Cancellation) throws(EarshotError) -> any CaptureInput

    struct Setup: Sendable {
        /// For messages.
        var name: String
        var kind: CaptureProgress.Kind
        var policy: ReconnectPolicy
        /// The time without audio after which a source counts as stalled; `nil` for no limit.
        var stall: MediaTime?
        /// The duration of audio that is buffered for a slow reader.
        var capacity: MediaTime
        var clock: MediaClock
        /// Gives numbers from 0 to 1 for the jitter.
        var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    }

    /// The outcome of reading a connection.
    private enum Outcome: Sendable {
        case stopped, ended
        case lost(EarshotError?)
    }

    private struct State {
        var progress: CaptureProgress
        var connection: Cancellation?
        /// The name of the last connection's device or address.
        var route: String?
        /// `true` if that connection was given up because nothing came.
        var hasStalled = false
        var isStopped = false
        var tasks: [Task<Void, Never>] = []
    }

    let channel: AudioChannel
    let events: AsyncStream<CaptureEvent>
    private let setup: Setup
    private let open: Opening
    private let queue = DispatchQueue(label: "earshot.capture.reader", qos: .userInitiated)
    private let state: Mutex<State>
    private let announcements: AsyncStream<CaptureEvent>.Continuation
    private var input: (any CaptureInput)?

    init(_ setup: Setup, open: @escaping Opening) {
        self.setup = setup
        self.open = open
        // A slow reader loses one stretch and not a bit of every second.
        channel = AudioChannel(capacity: setup.capacity, droppedShare: 0.1)
        // Nobody has to listen: of very many events the oldest go.
        (events, announcements) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
        state = Mutex(State(progress: CaptureProgress(kind: setup.kind, now: setup.clock.now)))
    }

    /// Opens the first connection and begins to read.
    ///
    /// - Returns: The format of the first blocks.
    /// - Throws: The error that prevented opening; nothing is left running.
    func start() async throws(EarshotError) -> AudioFormat {
        if let stall = setup.stall { launch { await self.watch(stall) } }
        do throws(EarshotError) {
            let format = try await connect()
            launch { await self.run() }
            return format
        } catch {
            end()
            throw error
        }
    }

    /// Ends capturing. Blocks that are waiting are still delivered.
    func stop() {
        end()
        channel.finish()
    }

    /// Ends capturing and the sequence at once.
    func cancel() {
        end()
        channel.cancel(throwing: EarshotError(.cancelled, "Capturing from \(setup.name) was canceled."))
    }

    private func end() {
        let tasks = state.withLock { state in
            state.isStopped = true
            state.connection?.cancel()
            tell(state.progress.ended())
            return state.tasks
        }
        for task in tasks { task.cancel() }
        announcements.finish()
    }

    private func launch(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isStopped { state.tasks.append(Task.detached { await work() }) }
        }
    }

    /// The name of what is read, where it may change.
    var route: String? { state.withLock { $0.route } }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func tell(_ events: [CaptureEvent]) {
        for event in events { announcements.yield(event) }
    }

    private func connect() async throws(EarshotError) -> AudioFormat {
        let cancellation = Cancellation()
        let isStopped = state.withLock { state in
            state.connection = cancellation
            state.hasStalled = false
            // A driver says at once whether it opens; a server may never answer.
            if setup.kind == .stream { state.progress.waits(since: setup.clock.now) }
            return state.isStopped
        }
        if isStopped { cancellation.cancel() }
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            let input = try open(cancellation)
            self.input = input
            let now = setup.clock.now
            state.withLock { state in
                state.route = input.route
                tell(state.progress.opened(input.format, at: now))
            }
            return input.format
        }
        do throws(EarshotError) {
            return try result.get()
        } catch {
            throw explained(error, .assetNotFound)
        }
    }

    /// The error of a connection, or that it was given up for its silence.
    private func explained(_ error: EarshotError, _ code: EarshotError.Code) -> EarshotError {
        guard state.withLock({ $0.hasStalled }), error.code == .cancelled, let stall = setup.stall else { return error }
        return EarshotError(
            code,
            "\(setup.name) gave nothing for \(Int(stall.seconds.rounded())) s: check that it is still sent."
        )
    }

    private func run() async {
        var schedule = ReconnectSchedule(setup.policy)
        while true {
            let outcome = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.readConnection()) }
            }
            guard case .lost(var error) = outcome, !isStopped else { return finish(nil) }
            var lasted = state.withLock { state in
                tell(state.progress.lost(isFailure: error != nil))
                return state.progress.lasted(at: setup.clock.now)
            }
            if lasted != nil { schedule.connected() }
            var isOpen = false
            while !isOpen {
                let now = setup.clock.now
                guard let delay = schedule.failed(after: lasted, at: now, random: setup.random()) else {
                    return finish(reason(error))
                }
                lasted = nil
                // A canceled wait ends at once, and then the source has been stopped.
                try? await setup.clock.sleep(until: now + delay)
                if isStopped { return finish(nil) }
                do throws(EarshotError) {
                    _ = try await connect()
                    isOpen = true
                } catch let failure {
                    error = failure
                }
                if isStopped { return finish(nil) }
            }
        }
    }

    /// The error with which the sequence ends when the source is given up.
    private func reason(_ error: EarshotError?) -> EarshotError? {
        let end = state.withLock { $0.progress.end }
        guard let error else {
            // A stream that came to its end and is not to be opened again has simply ended.
            if setup.policy.attempts == 0 { return nil }
            return EarshotError(
                .readFailed,
                "\(setup.name) ended at \(end.label) and could not be opened again: check that the stream is still on the air.",
                position: end
            )
        }
        return EarshotError(error.code, error.message, position: end, cause: error.cause)
    }

    private func finish(_ error: EarshotError?) {
        end()
        queue.async { self.input = nil }
        channel.finish(throwing: error)
    }

    /// Reads the connection until it is lost, on the queue's thread.
    private func readConnection() -> Outcome {
        // Closing a device belongs to the thread that read it.
        defer { input = nil }
        guard let input else { return .ended }
        let clock = setup.clock
        do throws(EarshotError) {
            while true {
                let now = clock.now
                state.withLock { $0.progress.waits(since: now) }
                guard let block = try input.next() else { return input.isWhole ? .ended : .lost(nil) }
                if isStopped { return .stopped }
                take(block, at: clock.now)
            }
        } catch {
            return .lost(explained(error, .readFailed))
        }
    }

    private func take(_ block: AudioBlock, at now: MediaTime) {
        let placed = state.withLock { state in
            let (block, events) = state.progress.received(block, at: now)
            tell(events)
            return block
        }
        switch setup.kind {
        case .stream:
            // A stream can wait at its server, and one that is really a file must.
            channel.sendBlocking(placed)
        case .device:
            let lost = channel.send(placed)
            if lost > .zero { state.withLock { _ in tell([.overload(lost: lost)]) } }
        }
    }

    /// Looks whether the source has stalled, as often as it could have.
    private func watch(_ patience: MediaTime) async {
        while !isStopped {
            let now = setup.clock.now
            let due = state.withLock { $0.progress.stallsAt(after: patience) }
            do {
                try await setup.clock.sleep(until: due.map { max($0, now) } ?? now + patience)
            } catch {
                return
            }
            let later = setup.clock.now
            let connection = state.withLock { state -> Cancellation? in
                guard let due = state.progress.stallsAt(after: patience), due <= later else { return nil }
                tell(state.progress.stalled())
                state.hasStalled = true
                return state.connection
            }
            // A driver cannot be interrupted, and a device that is silent may speak again; a stream is opened anew.
            if setup.kind == .stream { connection?.cancel() }
        }
    }
}

extension CaptureEngine {
    /// The next block; a canceled task ends the source.
    func next() async throws(EarshotError) -> AudioBlock? {
        let result: Result<AudioBlock?, EarshotError> = await withTaskCancellationHandler {
            do throws(EarshotError) {
                return .success(try await channel.next())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }
}
