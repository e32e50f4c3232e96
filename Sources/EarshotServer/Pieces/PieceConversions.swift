import EarshotCore
import EarshotPieces
import Foundation
import Logging
import Synchronization

/// Makes the sound of pieces in other formats, each once: what is made is kept beside the part.
final class PieceConversions: Sendable {
    private typealias Outcome = Result<PieceFiles.Converted, EarshotError>

    private let files: PieceFiles
    private let vault: PieceVault
    private let converter: any StemConverter
    private let queue: WorkQueue
    private let logger: Logger
    private let underWay = Mutex<[String: Task<Outcome, Never>]>([:])

    init(files: PieceFiles, vault: PieceVault, converter: any StemConverter, queue: WorkQueue, logger: Logger) {
        (self.files, self.vault, self.converter) = (files, vault, converter)
        (self.queue, self.logger) = (queue, logger)
    }

    /// A part in a format.
    ///
    /// - Throws: `formatUnavailable`, `serviceBusy`, `pieceNotFound` when the piece was removed meanwhile, `assetUnreadable`.
    func file(_ part: StoredPart, of piece: PieceID, as format: StemFormat) async throws(EarshotError)
        -> PieceFiles.Converted
    {
        if part.format == format {
            try await vault.ensure(part, of: piece)
            return PieceFiles.Converted(url: files.url(part, of: piece), sha256: part.sha256)
        }
        if let known = files.converted(part, of: piece, to: format) { return known }
        guard converter.makes(format) else { throw Self.unavailable(format) }
        let key = "\(part.id).\(format.rawValue)"
        // It goes on when whoever asked for it goes away: the next one will want it too.
        let task = underWay.withLock { underWay in
            if let task = underWay[key] { return task }
            let task = Task { [self] in
                let outcome = await convert(part, of: piece, as: format)
                self.underWay.withLock { $0[key] = nil }
                return outcome
            }
            underWay[key] = task
            return task
        }
        return try await task.value.get()
    }

    private func convert(_ part: StoredPart, of piece: PieceID, as format: StemFormat) async -> Outcome {
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
                try await converter.convert(reading: input, to: format, output: file)
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

    /// A failure in words for whoever asks, who did not make the sound and knows nothing of files.
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
