import Dispatch
public import EarshotCore
public import EarshotRecognition
import EarshotSignatures
public import Foundation
import Synchronization

/// Listens to audio continuously and reports the films, programs, advertisements and music in it.
///
/// ```swift
/// let monitor = try Monitor(registration: registration, store: store, service: service)
/// try monitor.initializeAudio()
/// Task { for await result in monitor.results { show(result.matches.first) } }
/// try monitor.start()
/// try monitor.submit(bytes)      // again and again, or: try await monitor.run(microphone)
/// ```
///
/// A lookup is made at the start, when the content changes, when the app asks and when an interval runs out; first in the
/// fingerprint store, then online, as ``MonitorProperties`` say. Monitors are independent of each other. All functions may be
/// called from any thread; events and results come on threads of the monitor's own, never on the main one.
public final class Monitor: Sendable {
    /// The optional settings of a monitor.
    public struct Options: Sendable {
        /// The clock of timers and positions.
        public var clock: MediaClock
        /// Returns the current date and time.
        public var wallClock: @Sendable () -> Date
        /// The duration of audio kept for ``Monitor/recentAudio(_:)``. Default: 15 s; at least 3 s.
        public var keptAudio: MediaTime
        /// The service that recognizes music while music is heard, at most once in 30 s. Default: `nil`, for no
        /// recognition of music.
        public var musicService: (any RecognitionService)?
        /// `true` to report debug events.
        public var isDebugLogging: Bool
        /// The preferred language, country and content of results.
        public var preferences: ContentPreferences

        /// Creates options. Every option has a default.
        public init(
            clock: MediaClock = .system,
            wallClock: @escaping @Sendable () -> Date = { Date() },
            keptAudio: MediaTime = MediaTime(value: 15, timescale: 1),
            musicService: (any RecognitionService)? = nil,
            isDebugLogging: Bool = false,
            preferences: ContentPreferences = ContentPreferences()
        ) {
            self.clock = clock
            self.wallClock = wallClock
            self.keptAudio = max(keptAudio, MediaTime(value: 3, timescale: 1))
            self.musicService = musicService
            self.isDebugLogging = isDebugLogging
            self.preferences = preferences
        }
    }

    /// The state of a monitor.
    public enum State: String, Hashable, Sendable {
        /// The monitor was created; its audio is not initialized.
        case created
        /// The audio format is initialized; the monitor can start.
        case ready
        /// The monitor processes audio.
        case running
        /// The monitor was stopped; it can be started again.
        case stopped
    }

    private struct ProtectedState {
        var state = State.created
        var decoder: PCMDecoder?
        var properties = MonitorProperties()
        var isDebugLogging: Bool
        // Readers own their mailboxes: one that is gone leaves nothing behind.
        var statuses = MailboxList<StatusEvent>()
        var results = MailboxList<MonitorResult>()
        var music = MailboxList<[MusicMatch]>()
        weak var statusReceiver: (any MonitorStatusReceiver)?
        weak var resultReceiver: (any MonitorResultReceiver)?
    }

    /// The registration with which the monitor was created.
    public let registration: Registration

    private let options: Options
    private let protected: Mutex<ProtectedState>
    private let intake = InputQueue()
    let engine: MonitorEngine

    /// Creates a monitor that looks up audio in a fingerprint store and a service.
    ///
    /// - Parameters:
    ///   - registration: The registration for requests; `Registration.local` if no service is used.
    ///   - store: The store that is searched first; `nil` to use the service only.
    ///   - service: The service that is asked if the store has no match; `nil` to use the store only.
    ///   - options: Clocks, kept audio, music.
    /// - Throws: `registrationMismatch` when the registration is not for monitoring.
    public convenience init(
        registration: Registration,
        store: BundleStore?,
        service: (any RecognitionService)?,
        options: Options = Options()
    ) throws(EarshotError) {
        var local: MonitorEngine.LocalLookup?
        if let store { local = { store.matches($0) } }
        try self.init(registration: registration, local: local, service: service, options: options)
    }

    /// Creates a monitor with custom lookup functions.
    package init(
        registration: Registration,
        local: MonitorEngine.LocalLookup?,
        service: (any RecognitionService)?,
        options: Options = Options()
    ) throws(EarshotError) {
        try registration.check(.monitoring)
        self.registration = registration
        self.options = options
        protected = Mutex(ProtectedState(isDebugLogging: options.isDebugLogging))
        engine = MonitorEngine(local: local, service: service, options: options, intake: intake)
        engine.receive { [weak self] output, isLate in self?.deliver(output, isLate: isLate) }
    }

    deinit {
        engine.stop()
        let (statuses, results, music) = protected.withLock { ($0.statuses.all, $0.results.all, $0.music.all) }
        statuses.forEach { $0.finish() }
        results.forEach { $0.finish() }
        music.forEach { $0.finish() }
    }

    // MARK: - Life

    /// The current state.
    public var state: State { protected.withLock { $0.state } }

    /// Sets the format of the audio. Call it before ``start()``.
    ///
    /// - Throws: `audioFormatInvalid` for audio that a monitor does not take; `configurationInvalid` while it runs.
    public func initializeAudio(_ configuration: AudioConfiguration = AudioConfiguration()) throws(EarshotError) {
        try configuration.check()
        try protected.withLock { protected throws(EarshotError) in
            guard protected.state != .running else {
                throw EarshotError(
                    .configurationInvalid,
                    "The monitor is running: stop it before you change its audio format."
                )
            }
            protected.decoder = PCMDecoder(configuration)
            protected.state = protected.state == .created ? .ready : protected.state
        }
    }

    /// Starts the monitor; counters and timers start from zero. Has no effect while it runs.
    ///
    /// - Throws: `notStarted` when audio was not initialized.
    public func start() throws(EarshotError) {
        try protected.withLock { protected throws(EarshotError) in
            guard protected.state != .created else {
                throw EarshotError(
                    .notStarted,
                    "The monitor has no audio format: initialize its audio before you start it."
                )
            }
            guard protected.state != .running else { return }
            protected.decoder?.reset()
            // What an earlier run did not look at; audio of this one comes only after the state has changed.
            _ = intake.takeAll()
            protected.state = .running
            // In the same step, so that the engine does what was asked for in the same order.
            engine.start()
        }
    }

    /// Stops the monitor. It does not wait for the network: running lookups are abandoned and their results dropped. Receivers that are
    /// behind get no more of the run than the event that its audio has stopped. Has no effect if it is not running.
    public func stop() {
        protected.withLock { protected in
            guard protected.state == .running else { return }
            protected.state = .stopped
            engine.stop()
        }
    }

    // MARK: - Properties

    /// The settings that decide how often the monitor looks up audio, and where. Changes take effect immediately.
    public var properties: MonitorProperties {
        get { protected.withLock { $0.properties } }
        set {
            protected.withLock { protected in
                protected.properties = newValue
                engine.set(newValue)
            }
        }
    }

    /// `true` to report debug events. They contain no audio.
    public var isDebugLogging: Bool {
        get { protected.withLock { $0.isDebugLogging } }
        set {
            protected.withLock { $0.isDebugLogging = newValue }
            engine.setDebugLogging(newValue)
        }
    }

    // MARK: - Audio

    /// Submits the next bytes of audio in the initialized format, and returns at once. An incomplete frame
    /// waits for the rest of its bytes. At most ten seconds of audio are queued; then the oldest is dropped, and an event
    /// reports it.
    ///
    /// - Parameter bytes: The bytes, which are copied; may be empty.
    /// - Throws: `notStarted` before ``start()`` and after ``stop()``.
    public func submit(_ bytes: UnsafeRawBufferPointer) throws(EarshotError) {
        let buffer = try protected.withLock { protected throws(EarshotError) in
            try Self.checkRunning(protected.state, "takes no audio")
            return protected.decoder?.append(bytes)
        }
        if let buffer { pass(buffer) }
    }

    /// Submits the next bytes of audio from a collection.
    public func submit(_ bytes: some ContiguousBytes) throws(EarshotError) {
        var failure: EarshotError?
        bytes.withUnsafeBytes { raw in
            do throws(EarshotError) { try submit(raw) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Submits samples of 8,000 to 192,000 Hz and 1 to 8 channels, whatever format was initialized.
    ///
    /// - Throws: `notStarted` before ``start()`` and after ``stop()``; `audioFormatInvalid`.
    public func submit(_ buffer: AudioBuffer) throws(EarshotError) {
        guard SignatureGenerator.sampleRates.contains(buffer.sampleRate),
            SignatureGenerator.channelCounts.contains(buffer.channelCount)
        else {
            throw EarshotError(
                .audioFormatInvalid,
                "A monitor does not take audio of \(buffer.format): give 8,000 to 192,000 Hz and 1 to 8 channels."
            )
        }
        try protected.withLock { protected throws(EarshotError) in
            try Self.checkRunning(protected.state, "takes no audio")
        }
        if buffer.frameCount > 0 { pass(buffer) }
    }

    /// Starts the monitor, processes a source to its end, and stops the monitor.
    ///
    /// - Parameter source: The audio source, which delivers audio in real time: a microphone, a stream, or a paced file.
    /// - Throws: The errors of the source and of ``start()``.
    public func run(_ source: some AudioSource) async throws {
        if state == .created { try initializeAudio() }
        try start()
        defer { stop() }
        var expected: MediaTime?
        for try await block in source {
            guard state == .running else { return }
            if let expected, block.time - expected > SignatureGenerator.timeTolerance {
                engine.gap((block.time - expected).seconds)
            }
            try submit(block.buffer)
            expected = block.endTime
            await engine.waitForRoom()
        }
        await engine.settle()
    }

    /// Waits until no lookup is running and all events have been delivered. Use it at the end of a source, before
    /// ``stop()``. A lookup whose fingerprint needs more audio is not awaited.
    public func settled() async { await engine.settle() }

    /// Returns the last seconds of audio, for example to recognize music in it.
    ///
    /// - Parameter duration: The duration wanted; at most ``Options/keptAudio`` is available.
    /// - Returns: The audio since the last gap; `nil` if there is none.
    public func recentAudio(_ duration: MediaTime) async -> AudioBuffer? { await engine.recentAudio(duration.seconds) }

    private func pass(_ buffer: AudioBuffer) {
        intake.append(buffer)
        engine.lookAtIntake()
    }

    private static func checkRunning(_ state: State, _ what: String) throws(EarshotError) {
        guard state == .running else {
            throw EarshotError(.notStarted, "The monitor \(what) while it is \(state.rawValue): start it first.")
        }
    }

    // MARK: - Lookups

    /// Requests a lookup as soon as possible, without waiting for a change of the content or for the delay after
    /// many misses.
    ///
    /// - Throws: `notStarted` before ``start()`` and after ``stop()``.
    public func lookUpNow() throws(EarshotError) {
        try protected.withLock { protected throws(EarshotError) in
            try Self.checkRunning(protected.state, "makes no lookup")
        }
        engine.requestLookup()
    }

    /// Ingests a bundle into a store, with a status event after each read.
    ///
    /// - Throws: The errors of ``BundleStore``.
    @discardableResult
    public func ingest(
        _ source: consuming some BundleSource,
        into store: BundleStore
    ) async throws(EarshotError) -> IngestReport {
        try await store.ingest(source) { [engine] count in engine.noteIngest(count) }
    }

    // MARK: - Events

    /// The status events from now on. Each access returns an independent sequence for one reader. For a slow reader,
    /// level events may be skipped if a later one replaces them; other events are not.
    public var statuses: MonitorEvents<StatusEvent> {
        let mailbox = EventMailbox<StatusEvent> { $0.kind.isLevel && $0.kind == $1.kind }
        protected.withLock { $0.statuses.append(mailbox) }
        return MonitorEvents(mailbox: mailbox)
    }

    /// The results from now on: one for each lookup, in order, without omissions.
    public var results: MonitorEvents<MonitorResult> {
        let mailbox = EventMailbox<MonitorResult>()
        protected.withLock { $0.results.append(mailbox) }
        return MonitorEvents(mailbox: mailbox)
    }

    /// The music matches from now on; empty without ``Options/musicService``.
    public var music: MonitorEvents<[MusicMatch]> {
        let mailbox = EventMailbox<[MusicMatch]>()
        protected.withLock { $0.music.append(mailbox) }
        return MonitorEvents(mailbox: mailbox)
    }

    /// Sets the receiver of status events. The monitor does not retain it, and calls it on a thread of its own.
    public func setStatusReceiver(_ receiver: (any MonitorStatusReceiver)?) {
        protected.withLock { $0.statusReceiver = receiver }
    }

    /// Sets the receiver of results. The monitor does not retain it, and calls it on a thread of its own.
    public func setResultReceiver(_ receiver: (any MonitorResultReceiver)?) {
        protected.withLock { $0.resultReceiver = receiver }
    }

    private func deliver(_ output: MonitorEngine.Report, isLate: Bool) {
        switch output {
        case .status(let event):
            let (mailboxes, receiver) = protected.withLock { ($0.statuses.all, $0.statusReceiver) }
            mailboxes.forEach { $0.append(event) }
            // Who reads a sequence may want the end of a run; who is called is not called for it after a stop.
            if !isLate { receiver?.monitor(self, didReport: event) }
        case .result(let result):
            let (mailboxes, receiver) = protected.withLock { ($0.results.all, $0.resultReceiver) }
            mailboxes.forEach { $0.append(result) }
            receiver?.monitor(self, didRecognize: result)
        case .music(let matches): protected.withLock { $0.music.all }.forEach { $0.append(matches) }
        }
    }
}

/// Receives the status events of a monitor.
public protocol MonitorStatusReceiver: AnyObject, Sendable {
    /// Called for each status event, on a thread of the monitor that must not be blocked for long.
    func monitor(_ monitor: Monitor, didReport event: StatusEvent)
}

/// Receives the results of a monitor.
public protocol MonitorResultReceiver: AnyObject, Sendable {
    /// Called for the result of each lookup, on a thread of the monitor that must not be blocked for long.
    func monitor(_ monitor: Monitor, didRecognize result: MonitorResult)
}
