import Dispatch
public import EarshotCore
import Foundation
import Synchronization

/// Captures audio and delivers it as bytes to its receivers.
///
/// ```swift
/// let microphone = Microphone(AudioConfiguration())
/// microphone.add(monitor)
/// microphone.add(AudioMemory(limit: 1_000_000))
/// try await microphone.start()
/// …
/// microphone.stop()
/// ```
///
/// Receivers are called one after the other with whole frames, on a thread of the microphone's own with high priority.
/// All get the same bytes. A slow receiver delays the others: ten seconds of audio are buffered; beyond that the oldest
/// is dropped and a gap is reported. A microphone may be started and stopped repeatedly, from any thread; a receiver of
/// an earlier run gets a gap before the audio of the next.
public final class Microphone: Sendable {
    /// The state of a microphone.
    public enum State: String, Hashable, Sendable {
        /// The microphone is not capturing and can be started.
        case stopped
        /// The audio source is being opened.
        case starting
        /// The microphone delivers audio.
        case running
    }

    private struct ProtectedState {
        var state = State.stopped
        /// Counted up by each start and stop: what an earlier run still has under way is not delivered.
        var run = 0
        var end: @Sendable () -> Void = {}
        var tasks: [Task<Void, Never>] = []
        var receivers: [Listening] = []
        /// The time of the last delivery.
        var deliveredAt: MediaTime?
        var route: String?
    }

    private struct Listening {
        let receiver: any AudioReceiver
        /// The run that it was last given something of.
        var run: Int?
    }

    /// The format of the delivered audio.
    public let configuration: AudioConfiguration

    private let backend: MicrophoneBackend
    private let clock: MediaClock
    private let protected = Mutex(ProtectedState())
    private let broadcast = EventBroadcast<Event>(replay: .none, buffering: .bufferingNewest(1_000))
    private let queue = DispatchQueue(label: "earshot.microphone", qos: .userInteractive)
    /// Marks the queue's own thread: a receiver that stops the microphone cannot wait for it.
    private let isDelivering = DispatchSpecificKey<Bool>()

    /// Creates a microphone. The audio source is opened by ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: The format to deliver. Default: 44,100 Hz, 16 bits, mono.
    ///   - backend: The source of the audio. Default: the default capture device.
    ///   - clock: The clock that measures the time between two runs.
    public init(
        _ configuration: AudioConfiguration = AudioConfiguration(),
        from backend: MicrophoneBackend = .device(),
        clock: MediaClock = .system
    ) {
        self.configuration = configuration
        self.backend = backend
        self.clock = clock
        queue.setSpecific(key: isDelivering, value: true)
    }

    deinit {
        let protected = protected.withLock { $0 }
        protected.end()
        protected.tasks.forEach { $0.cancel() }
    }

    /// The current state of the microphone.
    public var state: State { protected.withLock { $0.state } }

    /// The events from now on, over all runs. Each access returns an independent sequence for one reader; of more than
    /// 1,000 unread events the oldest are dropped. It ends when the microphone is released.
    public var events: AsyncStream<Event> { broadcast.events }

    // MARK: - Receivers

    /// Adds a receiver of the audio from now on. The receiver is retained until it is removed.
    public func add(_ receiver: any AudioReceiver) {
        protected.withLock { $0.receivers.append(Listening(receiver: receiver)) }
    }

    /// Removes a receiver. A delivery that is in progress is completed.
    public func remove(_ receiver: any AudioReceiver) {
        protected.withLock { $0.receivers.removeAll { $0.receiver === receiver } }
    }

    // MARK: - Start and stop

    /// Opens the audio source and starts delivery. Has no effect if the microphone is running or starting.
    ///
    /// - Throws: `microphoneUnavailable`, with the reason, if the device does not exist or its use is not allowed;
    ///   `audioFormatInvalid`; `cancelled` if the microphone was stopped meanwhile; the errors of opening a file or a
    ///   stream.
    public func start() async throws(EarshotError) {
        try configuration.check()
        let begun = protected.withLock { protected -> Int? in
            guard protected.state == .stopped else { return nil }
            protected.state = .starting
            protected.run += 1
            return protected.run
        }
        guard let run = begun else { return }
        let capture: MicrophoneBackend.Capture
        do {
            capture = try await backend.open(configuration)
        } catch {
            _ = finish(run)
            throw Self.reason(error)
        }
        // A back-end's own code is not called while the lock is held.
        let route = capture.route()
        let begins = protected.withLock { protected in
            guard protected.run == run else { return false }
            (protected.state, protected.end, protected.route) = (.running, capture.stop, route)
            broadcast.send(.started(configuration))
            // Held weakly, so that a microphone that nobody has any more ends.
            let reading = Task.detached(priority: .high) { [weak self] in
                let failure = await Self.read(capture.source) { [weak self] buffer, missing in
                    try await self?.deliver(buffer, after: missing, run) ?? false
                }
                _ = self?.finish(run, failure)
            }
            protected.tasks = [reading]
            if let events = capture.events {
                protected.tasks.append(
                    Task.detached { [weak self] in
                        for await event in events { self?.take(event, capture.route, run) }
                    }
                )
            }
            return true
        }
        guard begins else {
            capture.stop()
            throw EarshotError(.cancelled, "The microphone was stopped while it was being opened.")
        }
    }

    /// Stops delivery. No receiver is called after it returns, except that a receiver which calls it finishes its own
    /// call. Has no effect if the microphone is not running.
    public func stop() {
        let run = protected.withLock { $0.run }
        // Where another thread has just ended it, a receiver may still be in its last call.
        _ = finish(run)
        if DispatchQueue.getSpecific(key: isDelivering) != true { queue.sync {} }
    }

    /// Ends a run, unless it has ended.
    private func finish(_ run: Int, _ error: EarshotError? = nil) -> Bool {
        let ended = protected.withLock { protected -> (end: @Sendable () -> Void, tasks: [Task<Void, Never>])? in
            guard protected.run == run, protected.state != .stopped else { return nil }
            let wasRunning = protected.state == .running
            let ended = (protected.end, protected.tasks)
            protected.run += 1
            (protected.state, protected.end, protected.tasks) = (.stopped, {}, [])
            if let error { broadcast.send(.failed(error)) }
            if wasRunning { broadcast.send(.ended) }
            return ended
        }
        guard let ended else { return false }
        ended.end()
        ended.tasks.forEach { $0.cancel() }
        return true
    }

    /// The error of a start: whatever keeps a device from being used has one code.
    private static func reason(_ error: any Error) -> EarshotError {
        if error is CancellationError {
            return EarshotError(.cancelled, "Opening the microphone was canceled.", cause: error)
        }
        guard let known = error as? EarshotError else {
            return EarshotError(
                .microphoneUnavailable,
                "The microphone cannot be used (\(error)): allow it in the system's settings, or connect one.",
                cause: error
            )
        }
        guard known.code == .deviceUnavailable else { return known }
        return EarshotError(.microphoneUnavailable, known.message, cause: known)
    }

    // MARK: - Delivery

    /// Reads a source to its end, or until nobody wants more.
    ///
    /// - Returns: The error that ended it.
    private static func read(
        _ source: some AudioSource,
        _ deliver: (AudioBuffer, _ missing: MediaTime) async throws -> Bool
    ) async -> EarshotError? {
        do {
            var expected: MediaTime?
            for try await block in source {
                let missing = expected.map { block.time - $0 } ?? .zero
                expected = block.endTime
                guard try await deliver(block.buffer, missing) else { return nil }
            }
            return nil
        } catch let error as EarshotError {
            return error
        } catch {
            return EarshotError(
                .readFailed,
                "Capturing from the microphone failed (\(error)): start it again.",
                cause: error
            )
        }
    }

    /// Delivers a buffer on the queue, and waits for its receivers.
    ///
    /// - Returns: `true` if the run goes on.
    private func deliver(_ buffer: AudioBuffer, after gap: MediaTime, _ run: Int) async throws(EarshotError) -> Bool {
        guard buffer.sampleRate == configuration.sampleRate else {
            throw EarshotError(
                .audioFormatInvalid,
                "The microphone's back-end gives \(buffer.format) where \(configuration.sampleRate) Hz were asked for: "
                    + "have it resample, or configure the microphone for that rate."
            )
        }
        return await withCheckedContinuation { continuation in
            queue.async { [self] in
                if gap > Self.tolerance { give(run) { receiver, _ in receiver.receiveGap(gap) } }
                buffer.bytes(as: configuration).withUnsafeBytes { bytes in
                    guard bytes.count > 0 else { return }
                    let pause = protected.withLock { $0.deliveredAt }.map { clock.now - buffer.duration - $0 }
                    give(run) { receiver, earlier in
                        // What another run heard does not go on here, however short the pause was.
                        if let earlier, earlier != run {
                            receiver.receiveGap(max(pause ?? .zero, Self.tolerance))
                        }
                        receiver.receive(bytes, as: configuration)
                    }
                    protected.withLock { $0.deliveredAt = clock.now }
                }
                continuation.resume(returning: protected.withLock { $0.run == run })
            }
        }
    }

    /// The smallest difference that counts as a gap rather than as rounding.
    private static let tolerance = MediaTime(value: 10, timescale: 1_000)

    private func give(_ run: Int, _ body: (any AudioReceiver, _ earlier: Int?) -> Void) {
        for listening in protected.withLock({ $0.run == run ? $0.receivers : [] }) {
            // An earlier receiver may have ended the run.
            let goesOn = protected.withLock { protected in
                guard protected.run == run else { return false }
                if let index = protected.receivers.firstIndex(where: { $0.receiver === listening.receiver }) {
                    protected.receivers[index].run = run
                }
                return true
            }
            guard goesOn else { return }
            body(listening.receiver, listening.run)
        }
    }

    // MARK: - Events

    private func take(_ event: CaptureEvent, _ route: () -> String?, _ run: Int) {
        var name: String?
        if case .resumed = event { name = route() }
        if case .deviceBack = event { name = route() }
        protected.withLock { protected in
            guard protected.run == run else { return }
            switch event {
            case .interrupted(.stalled): broadcast.send(.interrupted(.stalled))
            case .interrupted(.closed), .interrupted(.failed): broadcast.send(.interrupted(.streamLost))
            case .deviceLost: broadcast.send(.interrupted(.deviceLost))
            case .resumed, .deviceBack:
                if let name, name != protected.route { broadcast.send(.routeChanged(name)) }
                protected.route = name ?? protected.route
                broadcast.send(.resumed)
            case .overload(let lost): broadcast.send(.gap(lost))
            // The run's begin and end are told by whoever begins and ends it.
            case .started, .ended: break
            }
        }
    }
}
