import EarshotCore
import EarshotPieces
import Foundation
import HTTPTypes
import Hummingbird

/// Shows pieces as pages and feeds.
struct PiecePageController: Controller {
    let pieces: PieceService
    let pages: PageRenderer

    var endpoints: [Endpoint] {
        let page = Endpoint.Response(status: 200, summary: "The page.", type: "text/html", schema: ["type": "string"])
        let none: [Endpoint.Response] = [404, 410].map { status in
            Endpoint.Response(
                status: status,
                summary: status == 404 ? "There is no such piece." : "The piece was removed.",
                type: "text/html",
                schema: ["type": "string"]
            )
        }
        func object(_ type: String) -> Endpoint.Response {
            Endpoint.Response(status: 200, summary: "The object.", type: type, schema: ["type": "object"])
        }
        func endpoint(
            _ path: String,
            _ id: String,
            _ summary: String,
            _ parameters: [Endpoint.Parameter],
            _ responses: [Endpoint.Response],
            _ handler: @escaping Endpoint.Handler
        ) -> Endpoint {
            Endpoint(
                method: .get,
                path: path,
                id: id,
                summary: summary,
                tag: "Pages",
                access: .open,
                parameters: parameters,
                responses: responses,
                handler: handler
            )
        }
        let count: JSONValue = ["type": "integer", "minimum": 1, "maximum": 10_000]
        return [
            endpoint(
                "/pieces",
                "piecesPage",
                "Listed pieces as a page.",
                [.text("q", "Words of the title.")] + Schemas.page(limit: 100, default: 30),
                [page],
                { try await listPage($0) }
            ),
            endpoint("/pieces/{id}", "piecePage", "A piece as a page.", [.id("The piece.")], [page] + none) { context in
                try await shown(context) { try await piecePage(context, $0) }
            },
            endpoint(
                "/pieces/{id}/open/{application}",
                "openPage",
                "The page that opens a piece in an app, and says what to do when nothing happens.",
                [.id("The piece."), .id("The app.", name: "application")],
                [page] + none,
                { context in try await shown(context) { try await openPage(context, $0) } }
            ),
            endpoint(
                "/embed/{id}",
                "embedPage",
                "A piece to stand in pages of others.",
                [.id("The piece.")],
                [page] + none,
                { context in
                    try await shown(context) { record in
                        let piece = try await pieces.told(record, base: context.base)
                        return try pages.response(PieceEmbedPage(piece, base: context.base), isFramable: true)
                    }
                }
            ),
            endpoint(
                "/oembed",
                "oEmbed",
                "What pages of others need to show a piece, by oEmbed 1.0.",
                [
                    .text("url", "The address of the piece's page.", isRequired: true),
                    Endpoint.Parameter(name: "maxwidth", schema: count, summary: "The most pixels in width."),
                    Endpoint.Parameter(name: "maxheight", schema: count, summary: "The most pixels in height."),
                    .text("format", "json: there is no other."),
                ],
                [object("application/json"), .noPiece, .gonePiece, .failure(501, "Only JSON is made.")],
                { try await oEmbed($0) }
            ),
            endpoint(
                "/pieces.rss",
                "piecesRSS",
                "Listed pieces by RSS 2.0.",
                [],
                [
                    Endpoint.Response(
                        status: 200,
                        summary: "The feed.",
                        type: "application/rss+xml",
                        schema: ["type": "string"]
                    )
                ],
                { context in
                    let (entries, _) = try await feed(context)
                    return .text(
                        try pages.text(PieceFeedPage(entries, now: context.now, base: context.base)),
                        type: "application/rss+xml; charset=utf-8"
                    )
                }
            ),
            endpoint(
                "/pieces.activity.json",
                "piecesActivity",
                "Listed pieces as an ActivityStreams 2.0 OrderedCollection.",
                [],
                [object("application/activity+json")],
                { context in
                    let (entries, total) = try await feed(context)
                    return try activity(PieceFeeds(base: context.base).collection(entries, total: total))
                }
            ),
            endpoint(
                "/pieces/{id}/activity.json",
                "pieceActivity",
                "A piece as an ActivityStreams 2.0 Audio object.",
                [.id("The piece.")],
                [object("application/activity+json"), .noPiece, .gonePiece],
                { context in
                    let record = try await pieces.piece(try context.path("id"), for: PieceService.Reader())
                    let entries = try await entries([record], context)
                    guard let entry = entries.first else { throw PieceService.missing(record.id.description) }
                    return try activity(PieceFeeds(base: context.base).audio(entry))
                }
            ),
        ]
    }

    /// A piece that everybody may see, or a page that says that there is none.
    private func shown(
        _ context: RequestContext,
        _ body: (PieceRecord) async throws -> Response
    ) async throws -> Response {
        let record: PieceRecord
        do {
            record = try await pieces.piece(try context.path("id"), for: PieceService.Reader())
        } catch {
            if let told = error as? HTTPFailure, told.status == .gone {
                return try pages.response(NoticePage.removedPiece, .gone)
            }
            guard let failure = error as? EarshotError, failure.code == .pieceNotFound else { throw error }
            return try pages.response(NoticePage.missingPiece, .notFound)
        }
        return try await body(record)
    }

    private func listPage(_ context: RequestContext) async throws -> Response {
        let page = try await pieces.find(context, limit: 30)
        // Forms write a blank as a plus sign.
        let words = try context.text("q")?.replacing("+", with: " ")
        let end = page.offset + page.pieces.count
        var next: String?
        if end < page.total, !page.pieces.isEmpty {
            let escaped = (words ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            next = "/pieces?offset=\(end)" + (escaped.isEmpty ? "" : "&q=\(escaped)")
        }
        let pieces = try await pieces.told(page.pieces, base: context.base)
        return try pages.response(PieceListPage(pieces, words: words, next: next, base: context.base))
    }

    private func piecePage(_ context: RequestContext, _ record: PieceRecord) async throws -> Response {
        let piece = try await pieces.told(record, base: context.base)
        let children = try await pieces.store.descendants(of: record.id, limit: 50).filter { $0.distance == 1 }
        let known = try await relatives(children.map(\.id), pieces).filter { $0.visible != nil }
        return try pages.response(
            PieceDetailPage(
                piece,
                parents: try await relatives(record.basedOn, pieces),
                children: known,
                applications: try await pieces.store.applications(),
                base: context.base
            )
        )
    }

    private func relatives(
        _ ids: [PieceID],
        _ pieces: PieceService
    ) async throws(EarshotError) -> [PieceDetailPage.Relative] {
        let records = try await pieces.store.pieces(ids)
        let authors = try await pieces.store.authors(records.values.map(\.author))
        let reader = PieceService.Reader()
        return ids.map { id in
            // What is unlisted is for those who have its address.
            let shown = records[id].flatMap { reader.mayFind($0) ? $0 : nil }
            let visible = shown.flatMap { record in
                record.draft.map { draft in
                    PieceDetailPage.Relative.Visible(
                        id: id.description,
                        title: draft.title,
                        author: authors[record.author]?.name.text ?? ""
                    )
                }
            }
            return PieceDetailPage.Relative(visible: visible, isRemoved: records[id]?.state == .removed)
        }
    }

    private func openPage(_ context: RequestContext, _ record: PieceRecord) async throws -> Response {
        let id = try context.path("application").lowercased()
        guard let application = try await pieces.store.application(id),
            let address = try PieceScheme(application: application.id).address(opening: record.id)
        else { return try pages.response(NoticePage.missingPiece, .notFound) }
        let piece = try await pieces.told(record, base: context.base)
        return try pages.response(PieceOpenPage(piece, in: application, address: address))
    }

    private func oEmbed(_ context: RequestContext) async throws -> Response {
        if let format = try context.text("format"), format != "json" {
            throw HTTPFailure(
                EarshotError(.requestInvalid, "oEmbed is told as JSON only: leave format out."),
                status: .notImplemented
            )
        }
        guard let text = try context.text("url", upTo: 1_000), let url = URL(string: text),
            url.pathComponents.count == 3, url.pathComponents[1] == "pieces", text.hasPrefix(context.base + "/")
        else {
            throw EarshotError(.pieceNotFound, "url is not the address of a piece of this service.")
        }
        let record = try await pieces.piece(url.pathComponents[2], for: PieceService.Reader())
        let piece = try await pieces.told(record, base: context.base)
        let width = try context.number("maxwidth", 1...10_000, default: 10_000)
        let height = try context.number("maxheight", 1...10_000, default: 10_000)
        return try .json(PieceFeeds(base: context.base).oEmbed(piece, width: width, height: height))
    }

    // MARK: - Feeds

    /// The pieces that were published last.
    private func feed(_ context: RequestContext) async throws(EarshotError) -> ([PieceFeeds.Entry], total: Int) {
        let found = try await pieces.store.pieces(PieceSearch(limit: 50))
        return (try await entries(found.pieces, context), found.total)
    }

    private func entries(
        _ records: [PieceRecord],
        _ context: RequestContext
    ) async throws(EarshotError) -> [PieceFeeds.Entry] {
        let told = try await pieces.told(records, base: context.base)
        let known = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return told.compactMap { piece in
            guard let record = known[piece.id], let part = record.part(.preview) ?? record.part(.stem) else {
                return nil
            }
            return PieceFeeds.Entry(piece: piece, size: part.size, type: part.mediaType)
        }
    }

    private func activity(_ value: JSONValue) throws(EarshotError) -> Response {
        var response = try Response.json(value)
        response.headers[.contentType] = "application/activity+json"
        return response
    }
}
