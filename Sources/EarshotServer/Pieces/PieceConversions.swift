import EarshotCore
import EarshotPieces
import Foundation
import Logging
import Synchronization

/// Converts the audio of pieces to other formats, each once: conversions are stored beside the part.
final class PieceConversions: Sendable {
    private typealias Outcome = Result<PieceFiles.Converted, EarshotError>
    /// The time for which a part that cannot be converted is not tried again, in seconds.
    private static let failureLifetime = 3_600.0
    /// The most failures that are remembered. One more, and all are forgotten.
    private static let mostFailures = 10_000

    private let files: PieceFiles
    private let vault: MirroredPartStore
    private let converter: any StemConverter
    private let queue: WorkQueue
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let underWay = Mutex<[String: Task<Outcome, Never>]>([:])
    private let failures = Mutex<[String: (error: EarshotError, date: Date)]>([:])
    /// The findings about mixes, which are requested again when their details change. The oldest are dropped.
    private let heard = Mutex<[(key: String, findings: AudioFindings)]>([])
    private static let mostHeard = 200

    init(
        files: PieceFiles,
        vault: MirroredPartStore,
        converter: any StemConverter,
        queue: WorkQueue,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        (self.files, self.vault, self.converter) = (files, vault, converter)
        (self.queue, self.logger, self.now) = (queue, logger, now)
    }

    /// Returns a part in a format, converted if it has another one.
    ///
    /// - Parameters:
    ///   - part: A stem or a preview.
    ///   - piece: The piece that it is a part of.
    ///   - format: The wanted format.
    ///   - tags: The tags of the converted file.
    /// - Throws: `formatUnavailable`, `serviceBusy`, `pieceNotFound` when the piece was removed meanwhile, `assetUnreadable`.
    func file(
        _ part: StoredPart,
        of piece: PieceID,
        as format: StemFormat,
        tags: AudioTags
    ) async throws(EarshotError) -> PieceFiles.Converted {
        if part.format == format {
            try await vault.ensure(part, of: piece)
            return PieceFiles.Converted(url: files.url(part, of: piece), sha256: part.sha256)
        }
        let files = files
        let known = try await BlockingWork.run { () throws(EarshotError) in
            files.converted(part, of: piece, to: format)
        }
        if let known { return known }
        guard converter.makes(format) else { throw Self.unavailable(format) }
        let key = "\(part.id).\(format.rawValue)"
        // Audio that exceeds a limit of time or size, or cannot be decoded, fails each time: it is not tried again soon.
        if let failure = failures.withLock({ $0[key] }), now().timeIntervalSince(failure.date) < Self.failureLifetime {
            throw failure.error
        }
        // Not a child task: the conversion goes on when the requester leaves, because the next one needs it too.
        let task = underWay.withLock { underWay in
            if let task = underWay[key] { return task }
            let task = Task { [self] in
                let outcome = await convert(part, of: piece, as: format, tags: tags)
                if case .failure(let error) = outcome { remember(error, key) }
                self.underWay.withLock { $0[key] = nil }
                return outcome
            }
            underWay[key] = task
            return task
        }
        return try await task.value.get()
    }

    /// Analyzes a part.
    ///
    /// - Parameters:
    ///   - part: A complete stem or preview.
    ///   - piece: The piece of the part.
    ///   - loop: The loop; `nil` if the piece is not a loop.
    /// - Throws: `serviceBusy`, `assetUnreadable`, `noAudioStream`, `timedOut`, `storeUnavailable`.
    func findings(
        in part: StoredPart,
        of piece: PieceID,
        loop: LoopMarkers?
    ) async throws(EarshotError) -> AudioFindings {
        let key = "\(part.id) \(loop.map { "\($0.start.count) \($0.end.count)" } ?? "")"
        if let known = heard.withLock({ $0.first { $0.key == key } }) { return known.findings }
        let (converter, files, vault) = (converter, files, vault)
        let findings = try await queue.perform { () async throws(EarshotError) in
            try await vault.ensure(part, of: piece)
            let input = try files.read(part, of: piece)
            defer { try? input.close() }
            return try await converter.facts(reading: input, loop: loop)
        }
        heard.withLock { heard in
            if heard.count >= Self.mostHeard { heard.removeFirst() }
            heard.append((key, findings))
        }
        return findings
    }

    /// Remembers a failure if the audio is its cause.
    private func remember(_ error: EarshotError, _ key: String) {
        guard [.assetUnreadable, .noAudioStream, .timedOut, .formatUnavailable].contains(error.code) else { return }
        let date = now()
        failures.withLock { failures in
            if failures.count >= Self.mostFailures { failures = [:] }
            failures[key] = (error, date)
        }
    }

    private func convert(
        _ part: StoredPart,
        of piece: PieceID,
        as format: StemFormat,
        tags: AudioTags
    ) async -> Outcome {
        if let known = files.converted(part, of: piece, to: format) { return .success(known) }
        do throws(EarshotError) {
            try await vault.ensure(part, of: piece)
            let place = try files.workplace()
            defer { try? FileManager.default.removeItem(at: place) }
            let file = place.appendingPathComponent("sound.\(format.fileExtension)")
            let input = try files.read(part, of: piece)
            defer { try? input.close() }
            let converter = converter
            try await queue.perform { () throws(EarshotError) in
                try await converter.convert(reading: input, to: format, tags: tags, output: file)
            }
            let files = files
            return .success(
                try await BlockingWork.run { () throws(EarshotError) in
                    try files.keep(file, of: part, of: piece, as: format)
                }
            )
        } catch {
            return .failure(told(error, piece, format))
        }
    }

    /// Logs a failure, and returns the error for the requester, who did not make the audio and must not see paths.
    private func told(_ error: EarshotError, _ piece: PieceID, _ format: StemFormat) -> EarshotError {
        switch error.code {
        case .serviceBusy, .cancelled, .pieceNotFound, .formatUnavailable, .storeUnavailable: return error
        case .codecUnsupported: return Self.unavailable(format)
        case .writeFailed:
            logger.error("A piece could not be converted", metadata: ["reason": "\(error)"])
            return EarshotError(.writeFailed, "The sound could not be kept: there may be no room left.", cause: error)
        default:
            logger.warning(
                "A piece could not be converted",
                metadata: ["piece": "\(piece)", "code": "\(error.code.rawValue)", "reason": "\(error.message)"]
            )
            return EarshotError(
                .assetUnreadable,
                "The sound of the piece \(piece) cannot be converted to \(format.rawValue): ask for it as it was dropped.",
                cause: error
            )
        }
    }

    private static func unavailable(_ format: StemFormat) -> EarshotError {
        EarshotError(
            .formatUnavailable,
            "This service cannot make \(format.rawValue): ask for wave, or for the sound as it was dropped."
        )
    }
}
