public import EarshotCore
public import EarshotRecognition
public import Foundation
import Synchronization

/// Recognizes music and looks it up, with a service over a network or in the same process.
///
/// ```swift
/// let client = RecognitionClient(
///     service: HTTPRecognitionService(url, configuration: configuration),
///     microphone: { try await CaptureSource() },
///     files: { try await AssetReader($0) }
/// )
/// let result = try await client.result(of: .file(song), configuration)
/// print(result.best?.track.title ?? "nothing was found")
/// ```
///
/// Starting an operation returns before any work is done. At most ``Policy/runningLimit`` operations run at a time;
/// others wait for their turn and none is rejected. The client opens no audio session and sets no audio category: that
/// is the app's responsibility.
public final class RecognitionClient: Sendable {
    /// Opens the microphone, or another source in its place.
    public typealias Microphone = @Sendable () async throws -> any AudioSource
    /// Opens the audio of a file. It must throw `codecUnsupported` for a video.
    public typealias FileOpener = @Sendable (URL) async throws -> any AudioSource
    /// Receives one line of the debug log.
    public typealias DebugLog = @Sendable (String) -> Void

    /// The limits of the client.
    public let policy: Policy

    let service: any RecognitionService
    let microphone: Microphone?
    let files: FileOpener?
    let cache: ResultCache?
    let history: (any HistoryRecording)?
    let feedback: (any RecordingFeedback)?
    let debugLog: DebugLog?
    let clock: MediaClock
    let gate: RequestLimiter
    let isRecording = Mutex(false)
    let receivers = Mutex<[ObjectIdentifier: [ReceiverTicket]]>([:])
    private let count = Mutex(0)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - service: The service that requests are made to. A ``ConfiguredService`` receives the configuration of each
    ///     operation.
    ///   - policy: The limits of the client.
    ///   - microphone: Opens the microphone. Without it, operations that need it fail with `microphoneUnavailable`.
    ///   - files: Opens files. Without it, operations that need it fail with `codecUnsupported`.
    ///   - cache: The cache of matches that were fetched by identifier; `nil` for none.
    ///   - history: Records the recognized tracks; `nil` for no history.
    ///   - feedback: Tells a person that a recording is over, by vibration or a tone; `nil` for neither.
    ///   - debugLog: Receives the log of operations whose configuration has ``ClientConfiguration/debugEnabled``; `nil`
    ///     in a released app.
    ///   - clock: The clock that measures time limits.
    public init(
        service: any RecognitionService,
        policy: Policy = Policy(),
        microphone: Microphone? = nil,
        files: FileOpener? = nil,
        cache: ResultCache? = nil,
        history: (any HistoryRecording)? = nil,
        feedback: (any RecordingFeedback)? = nil,
        debugLog: DebugLog? = nil,
        clock: MediaClock = .system
    ) {
        self.service = service
        self.policy = policy
        self.microphone = microphone
        self.files = files
        self.cache = cache
        self.history = history
        self.feedback = feedback
        self.debugLog = debugLog
        self.clock = clock
        gate = RequestLimiter(capacity: policy.runningLimit)
    }

    /// `true` if the client was created with a microphone.
    public var hasMicrophone: Bool { microphone != nil }

    // MARK: - Operations

    /// Starts a recognition, search or fetch and returns the running operation.
    ///
    /// - Parameters:
    ///   - request: The recording, text or identifier to search for.
    ///   - configuration: The client that makes the request, and the content of results. Later changes do not affect
    ///     the operation.
    public func begin(_ request: SearchRequest, _ configuration: ClientConfiguration) -> ServiceOperation<SearchResult>
    {
        let job = Job(ServiceOperation<SearchResult>(request.kind), configuration, number: number())
        let hasMicrophone = claimMicrophone(for: request.kind)
        job.operation.start { _ in
            await self.run(job) { () async throws(EarshotError) -> SearchResult in
                try await self.find(request, job, hasMicrophone: hasMicrophone)
            }
        }
        return job.operation
    }

    /// Starts to make a fingerprint and returns the running operation. Makes no request to the service.
    ///
    /// - Parameters:
    ///   - request: The audio to make a fingerprint of.
    ///   - configuration: The settings of the operation.
    public func beginFingerprint(
        of request: FingerprintRequest,
        _ configuration: ClientConfiguration
    ) -> ServiceOperation<FingerprintResult> {
        let job = Job(ServiceOperation<FingerprintResult>(request.kind), configuration, number: number())
        let hasMicrophone = claimMicrophone(for: request.kind)
        job.operation.start { _ in
            await self.run(job) { () async throws(EarshotError) -> FingerprintResult in
                FingerprintResult(try await self.fingerprint(request, job, hasMicrophone: hasMicrophone))
            }
        }
        return job.operation
    }

    /// Runs a recognition, search or fetch and returns its result. Canceling the task cancels the operation.
    ///
    /// - Throws: The error of the operation; ``FailureKind`` maps its code to a kind for users.
    public func result(
        of request: SearchRequest,
        _ configuration: ClientConfiguration
    ) async throws(EarshotError) -> SearchResult {
        try await begin(request, configuration).value
    }

    /// Makes a fingerprint and returns it. Canceling the task cancels the operation.
    ///
    /// - Throws: The error of the operation.
    public func fingerprint(
        of request: FingerprintRequest,
        _ configuration: ClientConfiguration
    ) async throws(EarshotError) -> FingerprintResult {
        try await beginFingerprint(of: request, configuration).value
    }

    // MARK: - Parts

    /// An operation with what it works with.
    struct Job<Value: Sendable>: Sendable {
        let operation: ServiceOperation<Value>
        let configuration: ClientConfiguration
        let number: Int

        init(_ operation: ServiceOperation<Value>, _ configuration: ClientConfiguration, number: Int) {
            self.operation = operation
            self.configuration = configuration
            self.number = number
        }
    }

    private func number() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    /// Takes the microphone for an operation, where it is free.
    private func claimMicrophone(for kind: OperationKind) -> Bool {
        guard kind.records else { return false }
        return isRecording.withLock { isRecording in
            defer { isRecording = true }
            return !isRecording
        }
    }

    private func run<Value: Sendable>(
        _ job: Job<Value>,
        _ work: () async throws(EarshotError) -> Value
    ) async -> Result<Value, EarshotError> {
        for notice in job.configuration.authentication.unreported(job.configuration.notices) where isLogging(job) {
            log(job, notice)
        }
        log(job, "\(job.operation.kind.rawValue) begins: \(job.configuration)")
        do {
            let value = try await work()
            log(job, "comes to its end")
            return .success(value)
        } catch {
            log(job, "fails with \(error.code): \(error.message)")
            return .failure(error)
        }
    }

    private func isLogging<Value>(_ job: Job<Value>) -> Bool { debugLog != nil && job.configuration.debugEnabled }

    /// A line of an operation that is to be seen.
    func log<Value>(_ job: Job<Value>, _ line: @autoclosure () -> String) {
        guard let debugLog, job.configuration.debugEnabled else { return }
        debugLog("operation \(job.number): \(line())")
    }

    /// A phase begins.
    func enter<Value>(_ phase: OperationPhase, _ job: Job<Value>) {
        job.operation.enter(phase)
        log(job, phase.rawValue)
    }
}
