import EarshotCore
import EarshotNodes
import EarshotPieces
import Foundation
import Synchronization

/// Copies complete parts of pieces into an object store, if there is one. All nodes fetch parts from there, and their folders are caches of
/// the store.
final class MirroredPartStore: Sendable {
    private typealias Outcome = Result<Void, EarshotError>

    private let files: PieceFiles
    private let store: (any ObjectStore)?
    private let leases: LeaseKeeper
    private let underWay = Mutex<[String: Task<Outcome, Never>]>([:])

    init(files: PieceFiles, store: (any ObjectStore)?, leases: LeaseKeeper) {
        (self.files, self.store, self.leases) = (files, store, leases)
    }

    /// The name of the object store; `nil` if there is none.
    var storeName: String? { store?.name }

    private static func key(_ part: String, _ piece: PieceID) -> String { "\(piece)/\(part)" }

    /// Copies a part of the folder into the object store; does nothing without one.
    ///
    /// - Throws: `storeUnavailable`.
    func keep(_ part: StoredPart, of piece: PieceID) async throws(EarshotError) {
        guard let store else { return }
        let (url, key, leases) = (files.url(part, of: piece), Self.key(part.id, piece), leases)
        try await once(Self.keeping(key)) { () async throws(EarshotError) in
            // The lease keeps other nodes from removing the part during the upload, which would bring it back.
            let outcome = try await leases.run(Self.lease(key)) { _ throws(EarshotError) in
                try await store.keep(url, size: part.size, sha256: part.sha256, as: key)
                return true
            }
            // Another node uploads the same part, or removes it: then its piece is gone, and the caller discards the part again.
            if outcome == nil { try await store.keep(url, size: part.size, sha256: part.sha256, as: key) }
        }
    }

    /// Returns the name of the lease for uploading or removing a part.
    static func lease(_ key: String) -> String { "pieces/parts/\(key)" }

    private static func keeping(_ key: String) -> String { "keep \(key)" }

    /// Returns `true` if a part is being written to the store, so that a removal now would have no effect.
    func isKeeping(_ part: DiscardedPart) -> Bool {
        underWay.withLock { $0[Self.keeping(Self.key(part.part, part.piece))] != nil }
    }

    /// Fetches a part from the object store if the folder does not have it. Does nothing without a store.
    ///
    /// - Throws: `pieceNotFound` if the store does not have the part either, `storeUnavailable`, `storeDamaged`, `writeFailed`.
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

    /// Removes a part from the object store.
    ///
    /// - Returns: `false` if another node is uploading the part, so that it must be removed later.
    /// - Throws: `storeUnavailable`.
    func forget(_ part: DiscardedPart) async throws(EarshotError) -> Bool {
        guard let store else { return true }
        let key = Self.key(part.part, part.piece)
        return try await leases.run(Self.lease(key)) { _ throws(EarshotError) in
            try await store.remove(key)
            return true
        } ?? false
    }

    /// Runs work under a name, and lets concurrent callers with the same name share its outcome.
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
