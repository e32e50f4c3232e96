import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

/// Shows and changes drops before they are published, so that their authors can continue them on another device, and listen to them first.
struct PieceDraftController: Controller {
    let pieces: PieceService

    var endpoints: [Endpoint] {
        let drop = Endpoint.Response(
            status: 200,
            summary: "The drop.",
            type: "application/json",
            schema: Schemas.reference("PieceDrop")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/draft",
                id: "pieceDraft",
                summary: "What was said of a drop, and how far each of its parts has come.",
                tag: "Pieces",
                access: .user,
                parameters: [.id("The piece.")],
                responses: [drop, .foreignPiece, .noPiece, .gonePiece],
                handler: { context in try await told(try await record(context)) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/pieces/{id}/draft",
                id: "changePieceDraft",
                summary: """
                    Says anew what a drop is to be, before it is published. Its parts and the pieces that it is based on stay as they \
                    were announced, whatever the body says of them.
                    """,
                tag: "Pieces",
                access: .user,
                parameters: [.id("The piece.")],
                body: ["application/json": Schemas.reference("PieceCreation")],
                responses: [
                    drop, .foreignPiece, .noPiece, .gonePiece, .failure(409, "It is published."),
                    .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                    .failure(422, "The draft is wrong."),
                ],
                handler: { try await change($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/heard",
                id: "heardInDrop",
                summary: """
                    What is heard of the mix of a drop, once it is there: its length, its tempo, its key, and where that is not what was \
                    said.
                    """,
                tag: "Pieces",
                access: .user,
                parameters: [.id("The piece.")],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "What is heard.",
                        type: "application/json",
                        schema: Schemas.reference("PieceHearing")
                    ), .foreignPiece, .noPiece, .gonePiece, .failure(409, "The mix is not complete."),
                    .failure(422, "The sound cannot be read."),
                ],
                handler: { context in
                    let record = try await record(context)
                    return try .json(try await context.untilSenderLeaves { try await hearing(of: record) })
                }
            ),
        ]
    }

    private func record(_ context: RequestContext) async throws -> PieceRecord {
        let reader = try await pieces.reader(context.identity)
        return try await pieces.piece(changedBy: reader, try context.path("id"), isPublished: false)
    }

    private func told(_ record: PieceRecord) async throws -> Response {
        guard let draft = record.draft else { throw PieceService.missing(record.id.description) }
        let files = pieces.files
        let uploads = try await BlockingWork.run { () throws(EarshotError) in
            record.parts.map { part in
                UploadState(part, received: part.isComplete ? part.size : files.received(part, of: record.id))
            }
        }
        return try .json(
            PieceDrop(
                id: record.id,
                isPublished: record.state == .published,
                draft: DraftForm(draft),
                description: record.description,
                visibility: record.visibility,
                uploads: uploads,
                warnings: draft.warnings
            )
        )
    }

    private func change(_ context: RequestContext) async throws -> Response {
        let record = try await record(context)
        guard record.state == .draft else { throw Self.published(record.id) }
        let wanted = try await context.document(PieceCreation.self)
        var form = wanted.draft
        form.basedOn = record.basedOn.map(\.description)
        form.id = nil
        let violations = form.violations
        guard violations.isEmpty else { throw HTTPFailure(violations) }
        try PieceController.check(description: wanted.description)
        let draft: PieceDraft
        do throws(DraftErrors) {
            draft = try form.draft()
        } catch {
            throw HTTPFailure(error.violations)
        }
        let changed = try await pieces.store.update(record.id) { piece in
            guard piece.state == .draft else { return }
            (piece.draft, piece.description, piece.visibility) = (draft, wanted.description, wanted.visibility)
        }
        guard let changed else { throw HTTPFailure.gone(record.id) }
        guard changed.state == .draft else { throw Self.published(record.id) }
        return try await told(changed)
    }

    private static func published(_ id: PieceID) -> HTTPFailure {
        .conflict(EarshotError(.requestInvalid, "The piece \(id) is published: change it with PATCH /v1/pieces/\(id)."))
    }

    private func hearing(of record: PieceRecord) async throws -> PieceHearing {
        guard let draft = record.draft, let mix = record.part(.stem), mix.isComplete else {
            throw EarshotError(
                .stemMissing,
                "The mix of the piece \(record.id) is not complete: send the rest of it first."
            )
        }
        let heard = try await pieces.conversions.findings(in: mix, of: record.id, loop: draft.loop)
        return PieceHearing(
            heard: heard,
            keyLabel: heard.key?.tonality.label,
            warnings: AudioCheck().warnings(draft, heard: heard)
        )
    }
}
