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
/// Every operation begins at once and returns before any work is done. Where more are begun than
/// ``Policy/runningLimit`` says, the others wait for their turn; none is refused. It opens no audio session and sets no
/// category: that is the app's.
public final class RecognitionClient: Sendable {
    /// Opens the microphone, or another source in its place.
    public typealias Microphone = @Sendable () async throws -> any AudioSource
    /// Opens the audio of a file. It must throw `codecUnsupported` for a video.
    public typealias FileOpener = @Sendable (URL) async throws -> any AudioSource
    /// Takes a line for developers.
    public typealias DebugLog = @Sendable (String) -> Void

    /// Limits.
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

    /// A client.
    ///
    /// - Parameters:
    ///   - service: The service to ask. A ``ConfiguredService`` receives the configuration of each operation.
    ///   - policy: Limits.
    ///   - microphone: Opens the microphone. Without one, operations that need it fail with `microphoneUnavailable`.
    ///   - files: Opens files. Without it, operations that need it fail with `codecUnsupported`.
    ///   - cache: The cache of matches that were fetched by identifier.
    ///   - history: Records the recognized tracks.
    ///   - feedback: Tells a person that a recording is over, by vibration or a tone. Default: nothing does.
    ///   - debugLog: Takes the lines of operations whose configuration has ``ClientConfiguration/debugEnabled``. An app that
    ///     is delivered gives none.
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

    /// `true` if operations with the microphone can be begun: there is one.
    public var hasMicrophone: Bool { microphone != nil }

    // MARK: - Operations

    /// Begins to find something.
    ///
    /// - Parameters:
    ///   - request: The recording, text or identifier to search for.
    ///   - configuration: The client that asks, and the content of answers. Later changes do not affect the operation.
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

    /// Begins to make a fingerprint. No service is asked.
    ///
    /// - Parameters:
    ///   - request: The audio to make a fingerprint of.
    ///   - configuration: The client that asks.
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

    /// Finds something, and waits for it. Where the task is cancelled, the operation is.
    ///
    /// - Throws: The error of the operation; ``FailureKind`` maps its code to a kind for users.
    public func result(
        of request: SearchRequest,
        _ configuration: ClientConfiguration
    ) async throws(EarshotError) -> SearchResult {
        try await begin(request, configuration).value
    }

    /// Makes a fingerprint, and waits for it. Where the task is cancelled, the operation is.
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
