import EarshotCore
import EarshotNodes
import EarshotPieces
import Foundation
import Logging
import Synchronization

/// Removes the bytes of what was discarded, and brings what is in the folder alone into the object store, in the background: a store that
/// does not answer keeps nobody from removing a piece.
struct PieceCleanupJob: Sendable {
    /// The number of consecutive pieces that the store refuses before it is left alone for now.
    private static let mostInARow = 3
    /// The name of the lease of removing.
    static let lease = "pieces/cleanup"

    let pieces: PieceService
    let leases: LeaseKeeper
    let now: @Sendable () -> Date
    let shutdown: ShutdownFlag
    let logger: Logger

    /// Tidies until the task is canceled.
    func run() async {
        for await _ in pieces.cleanupNeeded {
            // Each for itself: a store that lets nothing be removed may take parts all the same.
            await attempt { () async throws(EarshotError) in
                // One node removes for all. If it is another one, it removes what is asked for now, or the next minute does.
                _ = try await leases.run(Self.lease) { _ throws(EarshotError) in try await dispose() }
            }
            // Each node brings what its folder has: nobody else can.
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

    /// Removes the bytes of parts that no piece has any more: in the object store, and in the folder of this node. In the folders of
    /// others they are a part of the cache, which is kept small, until the piece is gone.
    private func dispose() async throws(EarshotError) {
        let files = pieces.files
        while !shutdown.isRaised {
            var disposed: [DiscardedPart] = []
            var failure: EarshotError?
            for part in try await pieces.store.discarded(at: now(), limit: 100) {
                // It would come back; whoever brings it sees that its piece is gone.
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

    /// Brings published pieces into the object store that it does not have: there was none before, or another one.
    private func keepAll() async throws(EarshotError) {
        guard let name = pieces.vault.storeName, pieces.notKept.withLock({ $0?.isEmpty }) != true else { return }
        var left = try await pieces.store.pieces(notKeptIn: name)
        let isFirst = pieces.notKept.withLock { notKept in
            defer { notKept = left }
            return notKept == nil
        }
        var failure: EarshotError?
        var inARow = 0
        // In another order each time: some that the store does not take keep the others waiting once at most.
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

    /// - Returns: `true` if the store has all of a piece now, or there is nothing of it to have.
    private func keep(_ id: PieceID, in name: String, isFirst: Bool) async throws(EarshotError) -> Bool {
        guard let record = try await pieces.store.piece(id), record.state == .published else { return true }
        var kept: Set<String> = []
        for part in record.parts where part.keptIn != name {
            guard FileManager.default.fileExists(atPath: pieces.files.url(part, of: id).path) else {
                // Told once: it stays so until another node brings it, or somebody brings the file back.
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
    /// Brings a part into the object store, if there is one.
    ///
    /// - Throws: `storeUnavailable`.
    func keep(_ part: StoredPart, of id: PieceID) async throws(EarshotError) {
        do throws(EarshotError) {
            try await vault.keep(part, of: id)
        } catch {
            // It may have come all the same. If its piece was removed meanwhile, nobody else would look for it.
            let record: PieceRecord??
            do throws(EarshotError) { record = .some(try await store.piece(id)) } catch { record = nil }
            if let record, record?.parts.contains(where: { $0.id == part.id }) != true {
                try await discardAgain([part.id], of: id)
            }
            throw error
        }
    }

    /// Says that the object store has parts of a piece. Of a piece that was removed meanwhile they are discarded once more: they came
    /// after its removal.
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

    /// Has parts removed that were kept after their piece, or their place in it, was gone.
    func discardAgain(_ parts: Set<String>, of id: PieceID) async throws(EarshotError) {
        for part in parts { try await store.discard(DiscardedPart(part: part, piece: id), from: .distantPast) }
        if !parts.isEmpty { requestCleanup() }
    }
}
