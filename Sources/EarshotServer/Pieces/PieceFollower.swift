import EarshotCatalogs
import EarshotCore
import EarshotPieces
import EarshotSignatures
import Foundation
import Synchronization

/// Keeps the catalog by which this node recognizes pieces the same as what the store has: nodes hear pieces, each of them recognizes all.
///
/// The store is asked for the identifiers alone. The sound of a piece that another node has heard is decoded again here.
final class PieceFollower: Sendable {
    /// The most attempts at sound that cannot be decoded.
    private static let patience = 3
    /// The number of pieces in a row that cannot be had, after which the rest is left alone for now.
    private static let mostInARow = 3

    private let pieces: PieceService
    private let decoder: any UploadDecoder
    private let queue: WorkQueue
    /// The number of attempts at pieces that are heard and not in the catalog.
    private let attempts = Mutex<[PieceID: Int]>([:])

    /// - Parameters:
    ///   - pieces: The pieces, with the catalog.
    ///   - decoder: Decodes their sound.
    ///   - queue: The turns of decoding.
    init(pieces: PieceService, decoder: any UploadDecoder, queue: WorkQueue) {
        (self.pieces, self.decoder, self.queue) = (pieces, decoder, queue)
    }

    /// Adds the pieces that are heard and that the catalog lacks, and removes those that are gone.
    ///
    /// - Throws: Errors of the store, and errors that say nothing of the sound; then the next call goes on with the
    ///   rest.
    func follow() async throws(EarshotError) {
        guard let catalog = pieces.catalog else { return }
        // In this order: what this node hears meanwhile is in neither, and stays.
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
                // One whose sound the bucket does not give keeps no other waiting; the next minute tries it again.
                inARow += 1
                if error.code == .cancelled || inARow == Self.mostInARow { throw error }
            }
        }
    }

    /// Adds a piece that another node has heard.
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
            // Another node may have yet to bring it into the bucket.
            guard ![.pieceNotFound, .timedOut].contains(error.code) else { return }
            attempts.withLock { $0[id, default: 0] += 1 }
        }
    }

    /// Lets a piece be recognized.
    ///
    /// - Parameters:
    ///   - signature: The signature of its mix; `nil` if nothing can be heard in it.
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
        // Who removed the piece meanwhile could not remove it from here.
        guard try await pieces.store.piece(id)?.state != .published else { return }
        try await change { () throws(EarshotError) in try catalog.removePieces([id.reference]) }
    }

    /// Changes the catalog in a turn.
    private func change(_ body: @escaping @Sendable () throws(EarshotError) -> Void) async throws(EarshotError) {
        try await queue.run(body)
    }
}

extension PieceID {
    /// The name of a piece in the catalog of pieces.
    var reference: ReferenceID { ReferenceID(description) }
}

extension CatalogStore {
    /// Lets pieces be recognized no longer. Blocks.
    func removePieces(_ ids: [ReferenceID]) throws(EarshotError) {
        let held = ids.filter { catalog.contains($0) }
        if !held.isEmpty { try PieceService.changing { try remove(held) } }
    }
}

extension EarshotError {
    /// Returns `true` if it lasts as long as the service or a store is in trouble, and says nothing of the sound.
    var isOfTheService: Bool {
        [.serviceBusy, .cancelled, .storeUnavailable, .searchIncomplete, .writeFailed].contains(code)
    }
}

extension UploadDecoder {
    /// The signature of a stem; `nil` if it is too short, or silent: then nothing can be heard in it.
    func soundSignature(reading input: FileHandle) async throws(EarshotError) -> Signature? {
        do throws(EarshotError) {
            return try await signature(reading: input, limit: nil)
        } catch {
            guard [.signatureInvalid, .signatureDurationInvalid].contains(error.code) else { throw error }
            return nil
        }
    }
}
