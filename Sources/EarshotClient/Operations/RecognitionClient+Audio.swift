import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization

extension RecognitionClient {
    /// A fingerprint of what is asked for.
    func fingerprint<Value>(
        _ request: FingerprintRequest,
        _ job: Job<Value>,
        hasMicrophone: Bool
    ) async throws(EarshotError) -> Fingerprint {
        let signature: Signature
        let kind: RecognitionQuery.Kind
        switch request {
        case .microphone: (signature, kind) = (try await recorded(job, hasMicrophone: hasMicrophone), .stream)
        case .samples(let samples, let wanted): (signature, kind) = (try await made(samples, wanted, job), wanted)
        case .file(let url): (signature, kind) = (try await read(url, job), .file)
        }
        guard !signature.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The audio is silent or has no tones that stand out, so it has no fingerprint: check the source."
            )
        }
        return Fingerprint(signature, kind: kind)
    }

    // MARK: - Microphone

    /// The signature of what the microphone hears for 6.5 s.
    ///
    /// - Parameter hasMicrophone: `true` if the operation has the microphone; it gives it back.
    func recorded<Value>(_ job: Job<Value>, hasMicrophone: Bool) async throws(EarshotError) -> Signature {
        guard hasMicrophone else {
            throw EarshotError(
                .microphoneUnavailable,
                "Another operation of this client uses the microphone: wait for it, or cancel it."
            )
        }
        let generator: SignatureGenerator
        do {
            // The source is gone before the microphone counts as free.
            defer { isRecording.withLock { $0 = false } }
            generator = try await record(job)
        }
        enter(.fingerprinting, job)
        return generator.signature()
    }

    private func record<Value>(_ job: Job<Value>) async throws(EarshotError) -> SignatureGenerator {
        try Self.checkCancellation()
        guard let microphone else {
            throw EarshotError(
                .microphoneUnavailable,
                "This client was made without a microphone: pass one to it, or recognize a file."
            )
        }
        log(job, OperationPhase.recording.rawValue)
        let limit = Policy.recordingDuration
        let generator: SignatureGenerator
        do {
            let source = try await microphone()
            generator = try await Self.listen(to: source, for: limit) { heard in
                job.operation.record(heard.seconds / limit.seconds)
            }
        } catch {
            throw Self.error(
                error,
                otherwise: .microphoneUnavailable,
                "The microphone cannot be used: check its rights."
            )
        }
        try Self.checkLength(generator.duration)
        feedback?.recordingCompleted()
        return generator
    }

    // MARK: - Samples and files

    /// The signature of samples.
    func made<Value>(
        _ samples: PCMBuffer,
        _ kind: RecognitionQuery.Kind,
        _ job: Job<Value>
    ) async throws(EarshotError) -> Signature {
        try await inTurn { () async throws(EarshotError) -> Signature in
            enter(.fingerprinting, job)
            if kind == .stream { try Self.checkLength(samples.duration) }
            var generator = SignatureGenerator()
            try generator.append(samples.buffer(kind == .stream ? Policy.streamDuration : Policy.fileDuration))
            return generator.signature()
        }
    }

    /// The signature of the first 20 s of a file.
    func read<Value>(_ url: URL, _ job: Job<Value>) async throws(EarshotError) -> Signature {
        guard let files else {
            throw EarshotError(.codecUnsupported, "This client has no file opener: pass one to it, or give samples.")
        }
        return try await inTurn { () async throws(EarshotError) -> Signature in
            let name = url.lastPathComponent
            if url.isFileURL, FileManager.default.fileExists(atPath: url.path),
                !FileManager.default.isReadableFile(atPath: url.path)
            {
                throw EarshotError(
                    .fileAccessDenied,
                    "\(name) may not be read now: check its rights, or try again later."
                )
            }
            enter(.fingerprinting, job)
            do {
                let source = try await files(url)
                return try await Self.listen(to: source, for: Policy.fileDuration) { _ in }.signature()
            } catch {
                throw Self.error(error, otherwise: .readFailed, "\(name) cannot be read: check the file.")
            }
        }
    }

    /// Does some work when its turn comes.
    func inTurn<Value: Sendable>(
        _ work: () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        try await gate.enter()
        defer { gate.leave() }
        try Self.checkCancellation()
        return try await work()
    }

    // MARK: - Parts

    /// Takes so much audio of a source and no frame more.
    private static func listen<Source: AudioSource>(
        to source: Source,
        for limit: MediaTime,
        _ progress: (MediaTime) -> Void
    ) async throws -> SignatureGenerator {
        var generator = SignatureGenerator(gaps: .fillWithSilence)
        var heard = MediaTime.zero
        for try await block in source {
            try Task.checkCancellation()
            var buffer = block.buffer
            let room = Int(((limit - heard).seconds * Double(buffer.sampleRate)).rounded())
            if buffer.frameCount > room { buffer = buffer.frames(0..<max(0, room)) }
            try generator.append(buffer, at: block.time)
            heard = heard + buffer.duration
            progress(heard)
            if heard >= limit || buffer.frameCount < block.buffer.frameCount { break }
        }
        try Task.checkCancellation()
        return generator
    }

    private static func checkLength(_ duration: MediaTime) throws(EarshotError) {
        guard duration < Policy.recordingDuration else { return }
        let seconds = (duration.seconds * 1000).rounded(.down) / 1000
        throw EarshotError(
            .signatureDurationInvalid,
            "\(seconds) s of audio are too short to be recognized: at least \(Policy.recordingDuration.seconds) s are needed."
        )
    }

    static func checkCancellation() throws(EarshotError) {
        if Task.isCancelled { throw EarshotError(.cancelled, "The operation was canceled.") }
    }

    private static func error(_ error: any Error, otherwise code: EarshotError.Code, _ message: String) -> EarshotError
    {
        if Task.isCancelled || error is CancellationError {
            return EarshotError(.cancelled, "The operation was canceled.", cause: error)
        }
        return error as? EarshotError ?? EarshotError(code, message, cause: error)
    }
}
