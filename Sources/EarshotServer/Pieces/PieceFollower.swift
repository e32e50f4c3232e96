import EarshotCatalogs
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import Synchronization

/// Keeps this node's catalog of pieces up to date: a piece is analyzed by one node, and recognized by all.
///
/// Compares the identifiers in the store with those in the catalog. The audio of a piece that another node has analyzed is decoded again
/// here.
final class PieceFollower: Sendable {
    /// The most attempts to decode the audio of a piece.
    private static let patience = 3
    /// The number of consecutive pieces that cannot be fetched, after which this run ends.
    private static let mostInARow = 3

    private let pieces: PieceService
    private let decoder: any UploadDecoder
    private let queue: WorkQueue
    /// The number of failed attempts, by piece, for analyzed pieces that the catalog lacks.
    private let attempts = Mutex<[PieceID: Int]>([:])

    /// - Parameters:
    ///   - pieces: The pieces, with the catalog.
    ///   - decoder: Decodes their audio.
    ///   - queue: The queue in which audio is decoded.
    init(pieces: PieceService, decoder: any UploadDecoder, queue: WorkQueue) {
        (self.pieces, self.decoder, self.queue) = (pieces, decoder, queue)
    }

    /// Adds the analyzed pieces that the catalog lacks, and removes those that are no longer published.
    ///
    /// - Throws: Errors of the store, and errors that the audio does not cause. The next call then continues with the rest.
    func follow() async throws(EarshotError) {
        guard let catalog = pieces.catalog else { return }
        // The catalog is read before the store: a piece that is added in between is in neither list, and so is not removed.
        let held = Set(catalog.catalog.referenceIDs)
        let published = try await pieces.store.identifiers([.published])
        let gone = held.filter { id in !(PieceID(id.rawValue).map { published.contains($0) } ?? false) }
        if !gone.isEmpty { try await change { () throws(EarshotError) in try catalog.removePieces(Array(gone)) } }
        let heard = try await pieces.store.heard()
        let lacking = attempts.withLock { attempts in
            attempts = attempts.filter { heard.contains($0.key) }
            return heard.filter { !held.contains($0.reference) && attempts[$0, default: 0] < Self.patience }
        }
        var inARow = 0
        for id in lacking {
            do throws(EarshotError) {
                try await take(id)
                inARow = 0
            } catch {
                // A piece that the bucket does not deliver holds up no other. It is tried again in the next minute.
                inARow += 1
                if error.code == .cancelled || inARow == Self.mostInARow { throw error }
            }
        }
    }

    /// Adds a piece that another node has analyzed.
    private func take(_ id: PieceID) async throws(EarshotError) {
        guard pieces.catalog?.catalog.contains(id.reference) == false, let record = try await pieces.store.piece(id),
            record.state == .published, let mix = record.part(.stem)
        else { return }
        let (pieces, decoder) = (pieces, decoder)
        do throws(EarshotError) {
            let signature = try await queue.perform { () async throws(EarshotError) -> Signature? in
                try await pieces.vault.ensure(mix, of: id)
                let input = try pieces.files.read(mix, of: id)
                defer { try? input.close() }
                return try await decoder.soundSignature(reading: input)
            }
            try await add(signature, as: id)
        } catch {
            if error.isOfTheService { throw error }
            // Not counted: the node that received the part may not have copied it into the bucket yet.
            guard ![.pieceNotFound, .timedOut].contains(error.code) else { return }
            attempts.withLock { $0[id, default: 0] += 1 }
        }
    }

    /// Adds a piece to the catalog of pieces.
    ///
    /// - Parameters:
    ///   - signature: The signature of its mix; `nil` if the mix is too short or silent.
    ///   - id: The piece.
    func add(_ signature: Signature?, as id: PieceID) async throws(EarshotError) {
        guard let catalog = pieces.catalog else { return }
        guard let signature, !signature.isEmpty else {
            return attempts.withLock { $0[id] = Self.patience }
        }
        try await change { () throws(EarshotError) in
            guard !catalog.catalog.contains(id.reference) else { return }
            try PieceService.changing {
                try catalog.add([Catalog.Addition(id: id.reference, signature: signature, items: [])])
            }
        }
        // If the piece was removed before it was added, the removal did not find it in this catalog.
        guard try await pieces.store.piece(id)?.state != .published else { return }
        try await change { () throws(EarshotError) in try catalog.removePieces([id.reference]) }
    }

    /// Changes the catalog in a turn of the queue.
    private func change(_ body: @escaping @Sendable () throws(EarshotError) -> Void) async throws(EarshotError) {
        try await queue.run(body)
    }
}

extension PieceID {
    /// The name of a piece in the catalog of pieces.
    var reference: ReferenceID { ReferenceID(description) }
}

extension CatalogStore {
    /// Removes pieces from the catalog of pieces, if they are in it. Blocks.
    func removePieces(_ ids: [ReferenceID]) throws(EarshotError) {
        let held = ids.filter { catalog.contains($0) }
        if !held.isEmpty { try PieceService.changing { try remove(held) } }
    }
}

extension EarshotError {
    /// `true` if the service or a store is the cause of the error, not the audio.
    var isOfTheService: Bool {
        [.serviceBusy, .cancelled, .storeUnavailable, .searchIncomplete, .writeFailed].contains(code)
    }
}

extension UploadDecoder {
    /// Returns the signature of a stem; `nil` if it is too short or silent, so that it cannot be recognized.
    func soundSignature(reading input: FileHandle) async throws(EarshotError) -> Signature? {
        do throws(EarshotError) {
            return try await signature(reading: input, limit: nil)
        } catch {
            guard [.signatureInvalid, .signatureDurationInvalid].contains(error.code) else { throw error }
            return nil
        }
    }
}
