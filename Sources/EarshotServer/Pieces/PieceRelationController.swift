import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

/// Serves the ancestry of pieces, and the findings of their analysis.
struct PieceRelationController: Controller {
    let pieces: PieceService

    var endpoints: [Endpoint] {
        let limit = Endpoint.Parameter(
            name: "limit",
            schema: ["type": "integer", "minimum": 1, "maximum": 1_000, "default": 100],
            summary: "How many, at most."
        )
        let list = Endpoint.Response(
            status: 200,
            summary: "The relatives, the nearest first.",
            type: "application/json",
            schema: Schemas.reference("RelativeList")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/ancestors",
                id: "ancestors",
                summary: "What a piece is based on, and what that is based on, removed pieces among them.",
                tag: "Pieces",
                access: .reader,
                parameters: [.id("The piece."), limit],
                responses: [list, .noPiece, .gonePiece],
                handler: { context in
                    let (reader, records, found) = try await relatives(context) {
                        try await $0.ancestors(of: $1, limit: $2)
                    }
                    // Unlisted ancestors are shown, because pieces that are based on them contain their identifiers.
                    return try await told(found, records, context) { reader.maySee($0) }
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/descendants",
                id: "descendants",
                summary: "What is based on a piece, and what is based on that.",
                tag: "Pieces",
                access: .reader,
                parameters: [.id("The piece."), limit],
                responses: [list, .noPiece, .gonePiece],
                handler: { context in
                    let (reader, records, found) = try await relatives(context) {
                        try await $0.descendants(of: $1, limit: $2)
                    }
                    // Of hidden descendants, only those are named that a shown piece contains as its parent.
                    var named: Set<PieceID> = []
                    let shown = found.reversed().filter { relative in
                        guard let record = records[relative.id] else { return false }
                        let isOpen =
                            record.state == .removed ? record.visibility == .listed : reader.mayFind(record)
                        guard isOpen || named.contains(record.id) else { return false }
                        named.formUnion(record.basedOn)
                        return true
                    }
                    return try await told(shown.reversed(), records, context) { reader.mayFind($0) }
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/pieces/{id}/findings",
                id: "findings",
                summary: "What was heard in a piece: what else sounds in it, and where it is not what was said.",
                tag: "Pieces",
                access: .client,
                parameters: [.id("The piece.")],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The findings.",
                        type: "application/json",
                        schema: Schemas.reference("PieceFindings")
                    ),
                    .foreignPiece, .noPiece, .gonePiece,
                ],
                handler: { context in
                    let reader = try await pieces.reader(context.identity)
                    let record = try await pieces.piece(changedBy: reader, try context.path("id"))
                    return try .json(try await pieces.findings(of: record.id, basedOn: record.basedOn, for: reader))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/admin/pieces",
                id: "piecesWithFindings",
                summary: "Published pieces with what was heard in them, whoever may see them.",
                tag: "Operator",
                access: .admin,
                parameters: Schemas.page(limit: 100, default: 20) + [
                    Endpoint.Parameter(
                        name: "quoting",
                        schema: Schemas.flag,
                        summary:
                            "1: only those in which something else is heard, or of which something could not be heard."
                    )
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A part of them, the one published last first.",
                        type: "application/json",
                        schema: Schemas.reference("ModerationPage")
                    )
                ],
                handler: { try await moderation($0) }
            ),
        ]
    }

    /// Returns the reader, the records, and the relatives of the piece of a request.
    private func relatives(
        _ context: RequestContext,
        _ ask: @Sendable (any PieceStore, PieceID, Int) async throws -> [ProvenanceGraph.Relative]
    ) async throws -> (PieceService.Reader, records: [PieceID: PieceRecord], found: [ProvenanceGraph.Relative]) {
        let reader = try await pieces.reader(context.identity)
        let record = try await pieces.piece(try context.path("id"), for: reader)
        let found = try await ask(pieces.store, record.id, try context.number("limit", 1...1_000, default: 100))
        return (reader, try await pieces.store.pieces(found.map(\.id)), found)
    }

    /// Returns the response with relatives. Only those that may be shown have a title and an author.
    private func told(
        _ relatives: [ProvenanceGraph.Relative],
        _ records: [PieceID: PieceRecord],
        _ context: RequestContext,
        mayShow: (PieceRecord) -> Bool
    ) async throws -> Response {
        let authors = try await pieces.store.authors(relatives.compactMap { records[$0.id]?.author })
        return try .json(
            RelativeList(
                relatives.map { relative in
                    let record = records[relative.id]
                    let shown = record.flatMap { mayShow($0) ? $0 : nil }
                    return RelativeList.Entry(
                        id: relative.id,
                        distance: relative.distance,
                        isRemoved: relative.isRemoved,
                        title: shown?.draft?.title,
                        author: shown.flatMap { authors[$0.author]?.name.text },
                        basedOn: record?.basedOn ?? []
                    )
                }
            )
        )
    }

    private func moderation(_ context: RequestContext) async throws -> Response {
        let offset = try context.number("offset", 0...1_000_000, default: 0)
        let found = try await pieces.store.pieces(
            PieceSearch(
                visibilities: Set(Piece.Visibility.allCases),
                isQuoting: try context.flag("quoting") ? true : nil,
                offset: offset,
                limit: try context.number("limit", 1...100, default: 20)
            )
        )
        let reader = PieceService.Reader(isOperator: true)
        var entries: [ModerationPage.Entry] = []
        for piece in try await pieces.told(found.pieces, base: context.base) {
            let findings = try await pieces.findings(of: piece.id, basedOn: piece.basedOn, for: reader)
            entries.append(ModerationPage.Entry(piece: piece, findings: findings))
        }
        return try .json(ModerationPage(entries: entries, offset: offset, total: found.total))
    }
}
