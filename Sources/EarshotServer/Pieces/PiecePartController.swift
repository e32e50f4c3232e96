import Crypto
import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Receives the parts and covers of pieces.
struct PiecePartController: Controller {
    let pieces: PieceService

    var endpoints: [Endpoint] {
        let binary: JSONValue = ["type": "string", "format": "binary"]
        let state = Endpoint.Response(
            status: 200,
            summary: "How far the part has come.",
            type: "application/json",
            schema: Schemas.reference("UploadState")
        )
        return [
            Endpoint(
                method: .put,
                path: "/v1/uploads/{id}",
                id: "sendPart",
                summary: """
                    Takes bytes of a part: all of them, or with Content-Range: bytes A-B/TOTAL those from where it stopped. What arrived \
                    before a connection was lost is kept.
                    """,
                tag: "Pieces",
                access: .user,
                parameters: [.id("The upload.")],
                body: ["application/octet-stream": binary, "*/*": binary],
                isWriting: true,
                extent: .upload,
                responses: [
                    state, .failure(404, "There is no such upload."), .failure(408, "It took too long."),
                    .failure(409, "Other bytes come than the next ones, or the piece is published."),
                    .failure(413, "More came than was announced."),
                    .failure(422, "All is there, and is not what was announced."),
                ],
                handler: { context in
                    let (receiver, record) = try await receiver(context)
                    // The client may repeat the request because the answer was lost.
                    guard !receiver.part.isComplete else { return try .json(try await receiver.state()) }
                    guard record.state == .draft else {
                        throw HTTPFailure.conflict(
                            EarshotError(
                                .requestInvalid,
                                "The piece \(record.id) is published, so its parts cannot change: publish a new piece."
                            )
                        )
                    }
                    return try .json(
                        try await receiver.take(
                            context.request.body,
                            range: context.request.headers[.contentRange],
                            context.settings
                        )
                    )
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/uploads/{id}",
                id: "upload",
                summary: "How far a part has come: where to go on.",
                tag: "Pieces",
                access: .user,
                parameters: [.id("The upload.")],
                responses: [state, .failure(404, "There is no such upload.")],
                handler: { context in try .json(try await receiver(context).receiver.state()) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/pieces/{id}/cover",
                id: "changeCover",
                summary: "Puts a cover in the place of the one there was: PNG or JPEG of 640 x 640 pixels.",
                tag: "Pieces",
                access: .client,
                parameters: [.id("The piece.")],
                body: ["image/png": binary, "image/jpeg": binary],
                isWriting: true,
                responses: [
                    Endpoint.Response(status: 204, summary: "It is there."), .foreignPiece, .noPiece, .gonePiece,
                    .failure(413, "The picture is too large."),
                    .failure(422, "It is no such picture, or has another size."),
                ],
                handler: { try await changeCover($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/pieces/{id}/cover",
                id: "removeCover",
                summary: "Removes the cover.",
                tag: "Pieces",
                access: .client,
                parameters: [.id("The piece.")],
                responses: [
                    Endpoint.Response(status: 204, summary: "There is none now."), .foreignPiece, .noPiece, .gonePiece,
                ],
                handler: { context in
                    let reader = try await pieces.reader(context.identity)
                    let record = try await pieces.piece(changedBy: reader, try context.path("id"))
                    try await setCover(nil, of: record, context)
                    return .empty
                }
            ),
        ]
    }

    /// Returns the upload of a request, if its piece belongs to the sender.
    private func receiver(_ context: RequestContext) async throws -> (receiver: PartReceiver, record: PieceRecord) {
        let id = try context.path("id")
        let reader = try await pieces.reader(context.identity)
        guard let record = try await pieces.store.piece(withPart: id), reader.owns(record),
            let part = record.parts.first(where: { $0.id == id })
        else {
            throw EarshotError(
                .entityNotFound,
                "There is no upload \(id.prefix(80)): begin the drop again with POST /v1/pieces."
            )
        }
        return (PartReceiver(pieces: pieces, piece: record.id, part: part), record)
    }

    private func changeCover(_ context: RequestContext) async throws -> Response {
        let reader = try await pieces.reader(context.identity)
        let record = try await pieces.piece(changedBy: reader, try context.path("id"))
        let data = try await context.body(
            upTo: PieceFiles.coverLimit,
            EarshotError(
                .uploadTooLarge,
                "A cover has at most \(PieceFiles.coverLimit >> 20) MiB: send a smaller one."
            )
        )
        try await setCover(try CoverImage(data).bytes, of: record, context)
        return .empty
    }

    /// The time after which the file of a new cover is discarded if no piece contains it by then, in seconds.
    private static let coverPatience = 3_600.0

    /// Sets or removes the cover of a piece: writes the file first, then the record, and then discards the old file.
    private func setCover(
        _ data: Data?,
        of record: PieceRecord,
        _ context: RequestContext
    ) async throws {
        let files = pieces.files
        var new: StoredPart?
        if let data {
            let part = StoredPart(
                id: Secrets.name(),
                kind: .cover,
                size: data.count,
                sha256: SHA256.hash(data: data).hexadecimal,
                mediaType: "",
                isComplete: true,
                keptIn: pieces.vault.storeName
            )
            // Discarded in advance: if the service ends before the record contains the cover, its file is removed later.
            let patience = context.now.addingTimeInterval(Self.coverPatience)
            try await pieces.store.discard(DiscardedPart(part: part.id, piece: record.id), from: patience)
            try await BlockingWork.run { () throws(EarshotError) in
                try files.make(record.id)
                try files.write(data, as: part, of: record.id)
            }
            try await pieces.vault.keep(part, of: record.id)
            new = part
        }
        let part = new
        // The update discards the cover that the piece has by then: another request may have set one meanwhile.
        let changed: PieceRecord?
        do throws(EarshotError) {
            let limits = try await pieces.limits(for: part?.size ?? 0)
            changed = try await pieces.store.update(record.id, within: limits) { piece in
                piece.parts.removeAll { $0.kind == .cover }
                if let part { piece.parts.append(part) }
            }
        } catch {
            try await pieces.discardAgain(Set([part?.id].compactMap(\.self)), of: record.id)
            throw error
        }
        guard changed == nil else { return pieces.requestCleanup() }
        try await BlockingWork.run { () throws(EarshotError) in files.remove(record.id) }
        try await pieces.discardAgain(Set([part?.id].compactMap(\.self)), of: record.id)
        throw HTTPFailure.gone(record.id)
    }
}
