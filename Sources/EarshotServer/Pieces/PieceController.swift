import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird

/// Publishes, changes and finds pieces.
struct PieceController: Controller {
    let pieces: PieceService

    private func piece(_ status: Int, _ summary: String) -> Endpoint.Response {
        Endpoint.Response(
            status: status,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("Piece")
        )
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/pieces",
                id: "beginPiece",
                summary:
                    "Begins a drop: the draft, and the parts that will be sent. All that is wrong is told at once.",
                tag: "Pieces",
                access: .user,
                body: ["application/json": Schemas.reference("PieceCreation")],
                isWriting: true,
                responses: [
                    Endpoint.Response(
                        status: 201,
                        summary: "It may be sent: where each part goes.",
                        type: "application/json",
                        schema: Schemas.reference("PieceCreated")
                    ),
                    .failure(403, "The user has no author: say with PUT /v1/author who publishes."),
                    .failure(413, "A part is too large."), .failure(415, "The body is not JSON."),
                    .failure(422, "The draft is wrong, or one of its parents is not there."),
                ],
                handler: { try await begin($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces",
                id: "findPieces",
                summary: "Listed pieces that fit, the one published last first.",
                tag: "Pieces",
                access: .reader,
                parameters: searchParameters + Schemas.page(limit: 100, default: 20),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A part of those that fit.",
                        type: "application/json",
                        schema: Schemas.reference("PiecePage")
                    )
                ],
                handler: { try await find($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}",
                id: "piece",
                summary: "What is said of a piece.",
                tag: "Pieces",
                access: .reader,
                parameters: [.id("The piece.")],
                responses: [piece(200, "The piece."), .noPiece, .gonePiece],
                handler: { context in
                    let record = try await pieces.piece(
                        try context.path("id"),
                        for: try await pieces.reader(context.identity)
                    )
                    return try .json(try await pieces.told(record, base: context.base))
                }
            ),
            Endpoint(
                method: .patch,
                path: "/v1/pieces/{id}",
                id: "changePiece",
                summary: "Changes title, description, or who may see a piece. What is left out stays.",
                tag: "Pieces",
                access: .client,
                parameters: [.id("The piece.")],
                body: ["application/json": Schemas.reference("PieceChange")],
                responses: [
                    piece(200, "The piece as it is now."), .foreignPiece, .noPiece, .gonePiece,
                    .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                    .failure(422, "The title or the description is wrong."),
                ],
                handler: { try await change($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/pieces/{id}",
                id: "removePiece",
                summary:
                    "Removes a piece with its files. Its identifier stays for those that are based on it; of a drop that was not published nothing stays.",
                tag: "Pieces",
                access: .client,
                parameters: [.id("The piece.")],
                responses: [
                    Endpoint.Response(status: 204, summary: "Removed."), .foreignPiece, .noPiece, .gonePiece,
                ],
                handler: { context in
                    let record = try await pieces.piece(
                        changedBy: try await pieces.reader(context.identity),
                        try context.path("id"),
                        isPublished: false
                    )
                    try await pieces.remove(record.id)
                    return .empty
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/pieces/{id}/publish",
                id: "publishPiece",
                summary: "Publishes a piece whose parts are all there. May be repeated.",
                tag: "Pieces",
                access: .client,
                parameters: [.id("The piece.")],
                responses: [
                    piece(200, "The piece."), .foreignPiece, .noPiece, .gonePiece,
                    .failure(409, "The stem, or another part that was announced, is not complete."),
                ],
                handler: { try await publish($0) }
            ),
        ]
    }
}
