import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird

extension PieceController {
    /// The most code points of a description.
    private static let longestDescription = 5_000

    // MARK: - Beginning and publishing

    func begin(_ context: RequestContext) async throws -> Response {
        guard let author = try await pieces.reader(context.identity).author else {
            throw EarshotError(
                .accessDenied,
                "This user has no name to publish under: give one with PUT /v1/author."
            )
        }
        let creation = try await context.document(PieceCreation.self)
        let violations = creation.draft.violations
        guard violations.isEmpty else { throw HTTPFailure(violations) }
        try Self.check(description: creation.description)
        let parts = try PartRules(context.settings).parts(creation.parts)
        let draft: PieceDraft
        do throws(DraftErrors) {
            draft = try creation.draft.draft()
        } catch {
            throw HTTPFailure(error.violations)
        }
        // Parents that the author may not see must not be revealed: they are refused like unknown ones.
        let reader = PieceService.Reader(author: author)
        for (id, parent) in try await pieces.store.pieces(draft.basedOn)
        where parent.state == .published && !reader.maySee(parent) {
            throw EarshotError(
                .unknownParent,
                "The piece is based on \(id), which is not there: check its identifier."
            )
        }
        // A client that chose the identifier and lost the answer may repeat the request, and gets the same answer.
        if let id = creation.draft.id, let known = try await pieces.store.piece(id) {
            guard known.state == .draft, known.author == author.id, known.draft == draft,
                known.parts.map(\.sha256) == parts.map(\.sha256), known.parts.map(\.name) == parts.map(\.name)
            else {
                throw HTTPFailure.conflict(
                    EarshotError(.requestInvalid, "There is another piece \(id): leave the identifier out.")
                )
            }
            return try await begun(known, pieces)
        }
        let record = PieceRecord(
            id: creation.draft.id ?? PieceID(),
            author: author.id,
            draft: draft,
            description: creation.description,
            visibility: creation.visibility,
            begun: context.now,
            parts: parts
        )
        try await pieces.store.add(record, within: try await pieces.limits(for: record.size))
        return try await begun(record, pieces)
    }

    /// Returns the response to a drop that has begun.
    private func begun(_ record: PieceRecord, _ pieces: PieceService) async throws -> Response {
        let files = pieces.files
        let uploads = try await BlockingWork.run { () throws(EarshotError) in
            record.parts.map { UploadState($0, received: files.received($0, of: record.id)) }
        }
        return try .json(
            PieceCreated(id: record.id, uploads: uploads, warnings: record.draft?.warnings ?? []),
            .created
        )
    }

    /// Refuses a description that is too long.
    ///
    /// - Throws: `pieceInvalid`.
    static func check(description: String) throws(EarshotError) {
        guard description.unicodeScalars.count <= longestDescription, !description.unicodeScalars.contains("\0")
        else {
            throw EarshotError(
                .pieceInvalid,
                "The description has more than \(longestDescription) code points, or a zero byte: shorten it."
            )
        }
    }

    func publish(_ context: RequestContext) async throws -> Response {
        let reader = try await pieces.reader(context.identity)
        let record = try await pieces.piece(changedBy: reader, try context.path("id"), isPublished: false)
        // Rounded to the milliseconds that are sent, so that the stored date equals the one that clients send back.
        let now = Date(timeIntervalSince1970: (context.now.timeIntervalSince1970 * 1_000).rounded() / 1_000)
        let published: PieceRecord?
        do throws(EarshotError) {
            published = try await publish(record, at: now, pieces)
        } catch {
            guard error.code == .uploadFailed else { throw error }
            throw HTTPFailure.conflict(error)
        }
        guard let published else { throw PieceService.missing(record.id.description) }
        if record.state == .draft { pieces.listen() }
        return try .json(try await pieces.told(published, base: context.base))
    }

    /// Publishes a piece after all its parts are in the object store, from which any node may be asked for them.
    ///
    /// - Returns: The piece as it is now; `nil` if it was given up meanwhile.
    /// - Throws: `stemMissing`, `uploadFailed`, `storeUnavailable`.
    private func publish(
        _ begun: PieceRecord,
        at now: Date,
        _ pieces: PieceService
    ) async throws(EarshotError) -> PieceRecord? {
        let (id, name) = (begun.id, pieces.vault.storeName)
        var record = begun
        while record.state == .draft {
            var kept: Set<String> = []
            // Usually `PartReceiver` has copied the parts already, but not those of drops from before the service had this store.
            for part in record.parts where part.isComplete {
                if name != nil, part.keptIn != name { try await pieces.keep(part, of: id) }
                kept.insert(part.id)
            }
            let known = kept
            let changed = try await pieces.store.update(id) { piece throws(EarshotError) in
                guard piece.state == .draft else { return }
                guard piece.part(.stem)?.isComplete == true else {
                    throw EarshotError(
                        .stemMissing,
                        "The piece \(piece.id) has no stem yet: announce it, and send all of it before publishing."
                    )
                }
                if let part = piece.parts.first(where: { !$0.isComplete }) {
                    throw EarshotError(
                        .uploadFailed,
                        "The \(part.kind.called(part.name)) of the piece \(piece.id) is not complete: send the rest of it first."
                    )
                }
                // A part that became complete meanwhile is copied first, in the next round of the loop.
                guard piece.parts.allSatisfy({ known.contains($0.id) }) else { return }
                for index in piece.parts.indices { piece.parts[index].keptIn = name }
                piece.state = .published
                piece.published = now
            }
            guard let changed else {
                if name != nil { try await pieces.discardAgain(kept, of: id) }
                return nil
            }
            record = changed
        }
        return record
    }

    func change(_ context: RequestContext) async throws -> Response {
        let reader = try await pieces.reader(context.identity)
        let record = try await pieces.piece(changedBy: reader, try context.path("id"))
        let change = try await context.document(PieceChange.self, limit: 64 << 10)
        if let description = change.description { try Self.check(description: description) }
        guard let draft = record.draft else { throw PieceService.missing(record.id.description) }
        var form = DraftForm(draft)
        if let title = change.title { form.title = title }
        let violations = form.violations
        guard violations.isEmpty else { throw HTTPFailure(violations) }
        let title = form.title
        let changed = try await pieces.store.update(record.id) { piece throws(EarshotError) in
            if change.title != nil, let draft = piece.draft {
                var form = DraftForm(draft)
                form.title = title
                piece.draft = try? form.draft()
            }
            if let description = change.description { piece.description = description }
            if let visibility = change.visibility { piece.visibility = visibility }
        }
        guard let changed else { throw HTTPFailure.gone(record.id) }
        return try .json(try await pieces.told(changed, base: context.base))
    }
}
