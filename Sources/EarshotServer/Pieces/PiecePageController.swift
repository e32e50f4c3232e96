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
                access: .page,
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
            endpoint(
                "/authors/{name}",
                "authorPage",
                "The listed pieces of an author as a page; all of them for the author.",
                [.id("The author's name, in any letter case.", name: "name"), .text("q", "Words of the title.")]
                    + Schemas.page(limit: 100, default: 30),
                [
                    page,
                    Endpoint.Response(
                        status: 404,
                        summary: "There is no such author.",
                        type: "text/html",
                        schema: ["type": "string"]
                    ),
                ],
                { try await authorPage($0) }
            ),
            endpoint("/pieces/{id}", "piecePage", "A piece as a page.", [.id("The piece.")], [page] + none) { context in
                try await shown(context, isForOwner: true) { try await piecePage(context, $0) }
            },
            endpoint(
                "/pieces/{id}/open/{application}",
                "openPage",
                "The page that opens a piece in an app, and says what to do when nothing happens.",
                [.id("The piece."), .id("The app.", name: "application")],
                [page] + none,
                { context in try await shown(context, isForOwner: true) { try await openPage(context, $0) } }
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
                        return try pages.response(
                            PieceEmbedPage(piece),
                            for: context,
                            isFramable: true
                        )
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

    private func texts(_ context: RequestContext) throws(EarshotError) -> PieceTexts {
        let (language, texts) = try pages.texts(for: context)
        return PieceTexts(language: language, texts: texts)
    }

    /// Returns the piece of a request, or the page that says that there is none.
    ///
    /// - Parameter isForOwner: `true` to show a private piece to its author.
    private func shown(
        _ context: RequestContext,
        isForOwner: Bool = false,
        _ body: (PieceRecord) async throws -> Response
    ) async throws -> Response {
        let record: PieceRecord
        do {
            let reader = isForOwner ? try await pieces.reader(context.identity) : PieceService.Reader()
            record = try await pieces.piece(try context.path("id"), for: reader)
        } catch {
            if let told = error as? HTTPFailure, told.status == .gone {
                return try pages.response(NoticePage.removedPiece(try texts(context)), for: context, .gone)
            }
            guard let failure = error as? EarshotError, failure.code == .pieceNotFound else { throw error }
            return try pages.response(NoticePage.missingPiece(try texts(context)), for: context, .notFound)
        }
        return try await body(record)
    }

    private func listPage(_ context: RequestContext) async throws -> Response {
        let found = try await pieces.find(context, limit: 30)
        return try pages.response(
            PieceListPage(
                try await pieces.told(found.pieces, base: context.base),
                reader: try await pieces.reader(context.identity).author?.name.text,
                words: try Self.words(context),
                next: try Self.next("/pieces", found, context),
                base: context.base,
                texts: try texts(context)
            ),
            for: context
        )
    }

    private func authorPage(_ context: RequestContext) async throws -> Response {
        let texts = try texts(context)
        let reader = try await pieces.reader(context.identity).author
        guard let author = try await pieces.store.author(named: AuthorName.key(of: try context.path("name"))) else {
            return try pages.response(
                NoticePage(title: texts("noAuthor"), text: texts("missingHelp"), linksPieces: true),
                for: context,
                .notFound
            )
        }
        let isOwn = reader?.id == author.id
        let found = try await pieces.find(context, limit: 30, allOf: isOwn ? author : nil, of: author)
        return try pages.response(
            PieceListPage(
                try await pieces.told(found.pieces, base: context.base),
                author: author.name.text,
                reader: reader?.name.text,
                words: try Self.words(context),
                next: try Self.next(PieceLinks.author(author.name.text), found, context),
                base: context.base,
                texts: texts
            ),
            for: context
        )
    }

    /// Returns the searched words; `nil` for none. Forms encode a space as a plus sign.
    private static func words(_ context: RequestContext) throws(EarshotError) -> String? {
        try context.text("q")?.replacing("+", with: " ")
    }

    /// Returns the address of the next page of a list; `nil` at its end.
    private static func next(
        _ path: String,
        _ found: (pieces: [PieceRecord], offset: Int, total: Int),
        _ context: RequestContext
    ) throws(EarshotError) -> String? {
        let end = found.offset + found.pieces.count
        guard end < found.total, !found.pieces.isEmpty else { return nil }
        let escaped = try words(context)?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "\(path)?offset=\(end)" + (escaped.isEmpty ? "" : "&q=\(escaped)")
    }

    private func piecePage(_ context: RequestContext, _ record: PieceRecord) async throws -> Response {
        let piece = try await pieces.told(record, base: context.base)
        let children = try await pieces.store.descendants(of: record.id, limit: 50).filter { $0.distance == 1 }
        let known = try await relatives(children.map(\.id), pieces).filter { $0.visible != nil }
        return try pages.response(
            PieceDetailPage(
                piece,
                isOwn: try await pieces.reader(context.identity).mayChange(record),
                parents: try await relatives(record.basedOn, pieces),
                children: known,
                applications: try await pieces.store.applications(),
                base: context.base,
                texts: try texts(context)
            ),
            for: context
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
            // An unlisted piece must not be shown here, to readers who may not have its address.
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
        else { return try pages.response(NoticePage.missingPiece(try texts(context)), for: context, .notFound) }
        let piece = try await pieces.told(record, base: context.base)
        return try pages.response(
            PieceOpenPage(piece, in: application, address: address, texts: try texts(context)),
            for: context
        )
    }

    private func oEmbed(_ context: RequestContext) async throws -> Response {
        if let format = try context.text("format"), format != "json" {
            throw HTTPFailure(
                EarshotError(.requestInvalid, "The service answers oEmbed requests as JSON only: leave format out."),
                status: .notImplemented
            )
        }
        guard let text = try context.text("url", upTo: 1_000), let url = URL(string: text),
            url.pathComponents.count == 3, url.pathComponents[1] == "pieces", text.hasPrefix(context.base + "/")
        else {
            throw EarshotError(
                .pieceNotFound,
                "The parameter url is no address of a piece of this service: copy the address from its page."
            )
        }
        let record = try await pieces.piece(url.pathComponents[2], for: PieceService.Reader())
        let piece = try await pieces.told(record, base: context.base)
        let width = try context.number("maxwidth", 1...10_000, default: 10_000)
        let height = try context.number("maxheight", 1...10_000, default: 10_000)
        return try .json(PieceFeeds(base: context.base).oEmbed(piece, width: width, height: height))
    }

    // MARK: - Feeds

    /// Returns the pieces that were published last, and the number of all listed pieces.
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
