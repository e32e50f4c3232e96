import EarshotCore
import EarshotNodes
import EarshotPieces
import Foundation
import Synchronization

/// Keeps the parts of pieces that are complete in a store beside the service's folder, if there is one. All nodes have them from there,
/// and the folder of each is a cache of it.
final class MirroredPartStore: Sendable {
    private typealias Outcome = Result<Void, EarshotError>

    private let files: PieceFiles
    private let store: (any ObjectStore)?
    private let leases: LeaseKeeper
    private let underWay = Mutex<[String: Task<Outcome, Never>]>([:])

    init(files: PieceFiles, store: (any ObjectStore)?, leases: LeaseKeeper) {
        (self.files, self.store, self.leases) = (files, store, leases)
    }

    /// The store that parts are kept in besides the folder; `nil` if there is none.
    var storeName: String? { store?.name }

    private static func key(_ part: String, _ piece: PieceID) -> String { "\(piece)/\(part)" }

    /// Keeps a part that is in the folder.
    ///
    /// - Throws: `storeUnavailable`.
    func keep(_ part: StoredPart, of piece: PieceID) async throws(EarshotError) {
        guard let store else { return }
        let (url, key, leases) = (files.url(part, of: piece), Self.key(part.id, piece), leases)
        try await once(Self.keeping(key)) { () async throws(EarshotError) in
            // What is removed while it comes would come back: as long as this node holds the lease nobody removes it.
            let outcome = try await leases.run(Self.lease(key)) { _ throws(EarshotError) in
                try await store.keep(url, size: part.size, sha256: part.sha256, as: key)
                return true
            }
            // Another node brings the same part, or removes it: then its piece is gone, which is found out next.
            if outcome == nil { try await store.keep(url, size: part.size, sha256: part.sha256, as: key) }
        }
    }

    /// The name of the lease of bringing a part, or removing it.
    static func lease(_ key: String) -> String { "pieces/parts/\(key)" }

    private static func keeping(_ key: String) -> String { "keep \(key)" }

    /// Returns `true` if a part is being written to the store, so that a removal now would have no effect.
    func isKeeping(_ part: DiscardedPart) -> Bool {
        underWay.withLock { $0[Self.keeping(Self.key(part.part, part.piece))] != nil }
    }

    /// Sees to it that a part is in the folder.
    ///
    /// - Throws: `pieceNotFound` for what the store does not have either, `storeUnavailable`, `writeFailed`.
    func ensure(_ part: StoredPart, of piece: PieceID) async throws(EarshotError) {
        guard let store, !FileManager.default.fileExists(atPath: files.url(part, of: piece).path) else { return }
        let (files, key) = (files, Self.key(part.id, piece))
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
                    "The \(part.kind.called(part.name)) of the piece \(piece) is neither in the folder nor in the bucket: restore it from a backup.",
                    cause: error
                )
            }
            try await BlockingWork.run { () throws(EarshotError) in try files.take(file, as: part, of: piece) }
        }
    }

    /// Forgets a part.
    ///
    /// - Returns: `false` if another node is bringing it: it is to be forgotten later.
    /// - Throws: `storeUnavailable`.
    func forget(_ part: DiscardedPart) async throws(EarshotError) -> Bool {
        guard let store else { return true }
        let key = Self.key(part.part, part.piece)
        return try await leases.run(Self.lease(key)) { _ throws(EarshotError) in
            try await store.remove(key)
            return true
        } ?? false
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
