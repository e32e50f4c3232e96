import EarshotCore
import EarshotPieces
import Foundation
import Logging
import Synchronization

/// Keeps the parts of published pieces in a store beside the service's folder, where there is one. The folder then is a cache of it.
final class PieceVault: Sendable {
    private typealias Outcome = Result<Void, EarshotError>

    private let files: PieceFiles
    private let store: (any PartStore)?
    private let logger: Logger
    private let underWay = Mutex<[String: Task<Outcome, Never>]>([:])

    init(files: PieceFiles, store: (any PartStore)?, logger: Logger) {
        (self.files, self.store, self.logger) = (files, store, logger)
    }

    /// Whether what is in the folder is somewhere else too.
    var hasStore: Bool { store != nil }

    private static func key(_ part: StoredPart, _ piece: PieceID) -> String { "\(piece)/\(part.id)" }

    /// Keeps a part that is in the folder.
    ///
    /// - Throws: `storeUnavailable`.
    func keep(_ part: StoredPart, of piece: PieceID) async throws(EarshotError) {
        guard let store else { return }
        let (url, key) = (files.url(part, of: piece), Self.key(part, piece))
        try await once("keep \(key)") { () async throws(EarshotError) in
            try await store.keep(url, size: part.size, sha256: part.sha256, as: key)
        }
    }

    /// Sees to it that a part is in the folder.
    ///
    /// - Throws: `pieceNotFound` for what the store does not have either, `storeUnavailable`, `writeFailed`.
    func ensure(_ part: StoredPart, of piece: PieceID) async throws(EarshotError) {
        guard let store, !FileManager.default.fileExists(atPath: files.url(part, of: piece).path) else { return }
        let (files, key) = (files, Self.key(part, piece))
        try await once("fetch \(key)") { () async throws(EarshotError) in
            let place = try await BlockingWork.run { () throws(EarshotError) in try files.workplace() }
            defer { try? FileManager.default.removeItem(at: place) }
            let file = place.appendingPathComponent("part")
            do throws(EarshotError) {
                try await store.fetch(key, to: file)
            } catch {
                guard error.code == .entityNotFound else { throw error }
                throw EarshotError(
                    .pieceNotFound,
                    "The \(part.kind.called(part.name)) of the piece \(piece) is lost.",
                    cause: error
                )
            }
            try await BlockingWork.run { () throws(EarshotError) in try files.take(file, as: part, of: piece) }
        }
    }

    /// Forgets parts. What cannot be forgotten now is told in the log, with its key.
    func forget(_ parts: [StoredPart], of piece: PieceID) async {
        guard let store else { return }
        for part in parts {
            do throws(EarshotError) {
                try await store.remove(Self.key(part, piece))
            } catch {
                logger.error(
                    "A part of a piece that was removed is still in the object store",
                    metadata: ["key": "\(Self.key(part, piece))", "reason": "\(error.message)"]
                )
            }
        }
    }

    /// Makes the folder small, where what is in it is somewhere else too: what was used longest ago goes first.
    ///
    /// - Parameters:
    ///   - limit: How many bytes may stay.
    ///   - published: The pieces whose parts are in the store.
    func trim(to limit: Int, _ published: Set<PieceID>) async throws(EarshotError) {
        guard hasStore else { return }
        let files = files
        try await BlockingWork.run { () throws(EarshotError) in files.trim(to: limit, published) }
    }

    /// Does something once for all who want it at a time.
    private func once(
        _ name: String,
        _ work: @escaping @Sendable () async throws(EarshotError) -> Void
    ) async throws(EarshotError) {
        let task = underWay.withLock { underWay in
            if let task = underWay[name] { return task }
            let task = Task { [self] in
                var outcome: Outcome = .success(())
                do throws(EarshotError) {
                    try await work()
                } catch {
                    outcome = .failure(error)
                }
                self.underWay.withLock { $0[name] = nil }
                return outcome
            }
            underWay[name] = task
            return task
        }
        try await task.value.get()
    }
}
