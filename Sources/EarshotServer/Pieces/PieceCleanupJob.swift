import EarshotCore
import EarshotNodes
import EarshotPieces
import Foundation
import Logging
import Synchronization

/// Removes the bytes of discarded parts, and copies parts that only the folder has into the object store. Runs in the background, so that
/// pieces can be removed while the object store does not answer.
struct PieceCleanupJob: Sendable {
    /// The number of consecutive pieces that the object store refuses before this run ends.
    private static let mostInARow = 3
    /// The name of the lease for removing discarded parts.
    static let lease = "pieces/cleanup"

    let pieces: PieceService
    let leases: LeaseKeeper
    let now: @Sendable () -> Date
    let shutdown: ShutdownFlag
    let logger: Logger

    /// Runs until the task is canceled: each time that cleanup is requested.
    func run() async {
        for await _ in pieces.cleanupNeeded {
            // Two attempts: an object store that refuses to remove objects may still accept new ones.
            await attempt { () async throws(EarshotError) in
                // One node removes for all. If another one is doing so, what it misses is removed in the next minute.
                _ = try await leases.run(Self.lease) { _ throws(EarshotError) in try await dispose() }
            }
            // Without a lease: only this node can copy what its folder has.
            await attempt { () async throws(EarshotError) in try await keepAll() }
            guard !Task.isCancelled else { break }
        }
    }

    private func attempt(_ work: () async throws(EarshotError) -> Void) async {
        do throws(EarshotError) {
            try await work()
        } catch {
            // The next minute tries again.
            guard !Task.isCancelled else { return }
            logger.warning(
                "Parts of pieces could not be brought into order yet",
                metadata: ["reason": "\(error.message)"]
            )
        }
    }

    /// Removes the bytes of parts that no piece has any more, in the object store and in the folder of this node. In the folders of other nodes
    /// they count as cache until their maintenance removes the piece's folder.
    private func dispose() async throws(EarshotError) {
        let files = pieces.files
        while !shutdown.isRaised {
            var disposed: [DiscardedPart] = []
            var failure: EarshotError?
            for part in try await pieces.store.discarded(at: now(), limit: 100) {
                // The upload that is running would bring it back. After the upload, the missing piece is noticed and the part discarded again.
                guard !pieces.vault.isKeeping(part) else { continue }
                do throws(EarshotError) {
                    try await BlockingWork.run { () throws(EarshotError) in files.remove(part) }
                    guard try await pieces.vault.forget(part) else { continue }
                } catch {
                    failure = error
                    break
                }
                disposed.append(part)
            }
            if !disposed.isEmpty { try await pieces.store.disposed(of: disposed) }
            if let failure { throw failure }
            guard !disposed.isEmpty else { return }
        }
    }

    /// Copies published pieces into the object store that it lacks, because there was no store before, or another one.
    private func keepAll() async throws(EarshotError) {
        guard let name = pieces.vault.storeName, pieces.notKept.withLock({ $0?.isEmpty }) != true else { return }
        var left = try await pieces.store.pieces(notKeptIn: name)
        let isFirst = pieces.notKept.withLock { notKept in
            defer { notKept = left }
            return notKept == nil
        }
        var failure: EarshotError?
        var inARow = 0
        // In random order: pieces that the store refuses would otherwise stop each run before the others.
        for id in left.shuffled() where !shutdown.isRaised {
            do throws(EarshotError) {
                if try await keep(id, in: name, isFirst: isFirst) { left.remove(id) }
                inARow = 0
            } catch {
                failure = error
                inARow += 1
                guard inARow < Self.mostInARow, error.code != .cancelled else { break }
            }
        }
        let rest = left
        pieces.notKept.withLock { $0 = rest }
        if let failure { throw failure }
    }

    /// Copies the parts of a piece that the object store lacks and this folder has.
    ///
    /// - Returns: `true` if the store has all parts of the piece now, or the piece is not published any more.
    private func keep(_ id: PieceID, in name: String, isFirst: Bool) async throws(EarshotError) -> Bool {
        guard let record = try await pieces.store.piece(id), record.state == .published else { return true }
        var kept: Set<String> = []
        for part in record.parts where part.keptIn != name {
            guard FileManager.default.fileExists(atPath: pieces.files.url(part, of: id).path) else {
                // Logged in the first run only: the state lasts until another node uploads the part, or the file is restored.
                guard isFirst else { continue }
                logger.error(
                    "A part of a piece is neither in the folder of this node nor in the object store",
                    metadata: ["piece": "\(id)", "part": "\(part.id)", "kind": "\(part.kind.rawValue)"]
                )
                continue
            }
            try await pieces.keep(part, of: id)
            kept.insert(part.id)
        }
        let now = try await pieces.markKept(kept, of: id)
        return now?.parts.allSatisfy { $0.keptIn == name } ?? true
    }
}

extension PieceService {
    /// Copies a part into the object store, if there is one.
    ///
    /// - Throws: `storeUnavailable`.
    func keep(_ part: StoredPart, of id: PieceID) async throws(EarshotError) {
        do throws(EarshotError) {
            try await vault.keep(part, of: id)
        } catch {
            // The store may have the object in spite of the error. If its piece was removed meanwhile, nothing else would remove it.
            let record: PieceRecord??
            do throws(EarshotError) { record = .some(try await store.piece(id)) } catch { record = nil }
            if let record, record?.parts.contains(where: { $0.id == part.id }) != true {
                try await discardAgain([part.id], of: id)
            }
            throw error
        }
    }

    /// Marks parts of a piece as copied to the object store. If the piece was removed meanwhile, the parts are discarded again, because they
    /// were copied after its removal.
    ///
    /// - Returns: The piece as it is now; `nil` if it was removed.
    func markKept(_ parts: Set<String>, of id: PieceID) async throws(EarshotError) -> PieceRecord? {
        let name = vault.storeName
        let record = try await store.update(id) { piece in
            for index in piece.parts.indices where parts.contains(piece.parts[index].id) {
                piece.parts[index].keptIn = name
            }
        }
        try await discardAgain(parts.subtracting(record?.parts.map(\.id) ?? []), of: id)
        return record
    }

    /// Discards parts that were copied to the object store after their piece was removed, or lost them.
    func discardAgain(_ parts: Set<String>, of id: PieceID) async throws(EarshotError) {
        for part in parts { try await store.discard(DiscardedPart(part: part, piece: id), from: .distantPast) }
        if !parts.isEmpty { requestCleanup() }
    }
}
