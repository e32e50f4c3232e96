import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotTimedContent
import Foundation
import HTTPTypes
import Hummingbird

/// Shows the timed content of references, such as chapters, lyrics and questions, and changes it.
///
/// The content is a property of the reference's media item, so published and copied catalogs contain it.
struct TimedContentController: Controller {
    let index: TimedContentIndex
    let references: ReferenceWriter
    let services: RecognitionServiceFactory
    let media: MediaService?
    let queue: WorkQueue

    private static let content = Endpoint.Response(
        status: 200,
        summary: "The reference with its content.",
        type: "application/json",
        schema: Schemas.reference("ReferenceContent")
    )

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/timelines",
                id: "timelines",
                summary: "The references of the catalog that have timed content, in order of adding.",
                tag: "Timed content",
                access: .client,
                module: .music,
                parameters: Schemas.page(limit: 200, default: 100),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The references.",
                        type: "application/json",
                        schema: Schemas.reference("ContentPage")
                    )
                ],
                handler: { try await list($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/references/{id}/content",
                id: "timedContent",
                summary: """
                    A reference with what belongs to places in it: its timeline, as Docs/formats/timed-content.md describes it, and the media \
                    items that are limited to times.
                    """,
                tag: "Timed content",
                access: .client,
                module: .music,
                parameters: [.id("The reference.")],
                responses: [Self.content, .notFound],
                handler: { context in try .json(try await content(context)) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/references/{id}/content",
                id: "putContent",
                summary: """
                    Gives a reference a timeline in the place of the one that it has. The body is the timeline as JSON, or as text in one of the other \
                    forms: WebVTT, LRC, a table, podcast chapters, FFmpeg's metadata. Pictures are addresses of this service, or data:image/….
                    """,
                tag: "Timed content",
                access: .right(.references),
                parameters: [.id("The reference.")],
                body: ["application/json": ["type": "object"], "text/*": Schemas.text],
                isWriting: true,
                responses: [
                    Self.content, .notFound, .failure(413, "The body, or the media item with it, is too large."),
                    .failure(415, "The type of content is not taken."), .failure(507, "There is no room for it."),
                ],
                handler: { try await put($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/references/{id}/content",
                id: "removeContent",
                summary: "Takes the timeline away from a reference.",
                tag: "Timed content",
                access: .right(.references),
                parameters: [.id("The reference.")],
                responses: [Endpoint.Response(status: 204, summary: "Removed."), .notFound],
                handler: { context in
                    try await change(context, to: nil)
                    return .empty
                }
            ),
        ]
    }

    // MARK: - Reading

    private func list(_ context: RequestContext) async throws -> Response {
        let offset = try context.number("offset", 0...10_000, default: 0)
        let limit = try context.number("limit", 1...200, default: 100)
        let all = try await index.references(on: queue)
        let page = ContentPage(references: Array(all.dropFirst(offset).prefix(limit)), offset: offset, total: all.count)
        return try .json(page)
    }

    private func content(_ context: RequestContext) async throws(EarshotError) -> ReferenceContent {
        let id = ReferenceID(try context.path("id"))
        guard let reference = try await index.reference(id, on: queue) else {
            throw Self.missing(id)
        }
        let music = try await services.service(for: context).music(of: reference)
        var content = try ReferenceContent(reference, music: music)
        let rights = context.identity.rights
        content.isEditable = rights.contains(.references) && references.catalog.isChangeable
        if rights.contains(.media) { content.asset = try await asset(of: id) }
        return content
    }

    /// Returns the file of a media folder whose path a reference has as its name, as references made from a folder have; `nil` if there is none.
    private func asset(of id: ReferenceID) async throws(EarshotError) -> String? {
        guard let media else { return nil }
        let roots = media.roots
        return try await media.queue.run { () throws(EarshotError) -> String? in
            let parts = id.rawValue.split(separator: "/")
            let paths = [parts[...], parts.dropFirst()].filter { !$0.isEmpty }.map { $0.joined(separator: "/") }
            for root in roots.roots {
                for path in paths { if let place = try? roots.place("\(root.name)/\(path)") { return place.id } }
            }
            return nil
        }
    }

    private static func missing(_ id: ReferenceID) -> EarshotError {
        EarshotError(
            .referenceNotFound,
            "The catalog has no reference named \(id.rawValue.prefix(120)): list them with GET /v1/references."
        )
    }

    // MARK: - Changing

    private func put(_ context: RequestContext) async throws -> Response {
        let type = (context.request.headers[.contentType] ?? "").prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).lowercased()
        let isJSON = type == "application/json"
        let texts = ["text/plain", "text/vtt", "text/csv", "text/tab-separated-values"]
        guard isJSON || texts.contains(type) else {
            throw EarshotError(
                .mediaTypeUnsupported,
                "Send timed content as application/json, or as text/plain, text/vtt or text/csv in one of the other forms."
            )
        }
        let limit = context.settings.documentLimit
        let body = try await context.body(
            upTo: limit,
            EarshotError(.uploadTooLarge, "The timed content has more than \(limit >> 10) KiB: make it shorter.")
        )
        let timeline = try Timeline(data: body)
        try TimedContentRules.check(timeline)
        try await change(context, to: timeline)
        return try .json(try await content(context))
    }

    private func change(_ context: RequestContext, to timeline: Timeline?) async throws(EarshotError) {
        let id = ReferenceID(try context.path("id"))
        try await references.changeItems(of: id, for: context.identity.owner) { items throws(EarshotError) in
            var items = items
            for index in items.indices where items[index][.timeline] != nil {
                items[index] = try items[index].with(timeline: nil)
            }
            guard let timeline else { return items }
            if let index = items.firstIndex(where: { $0.timeRanges.isEmpty }) {
                items[index] = try items[index].with(timeline: timeline)
            } else {
                items.insert(try MediaItem().with(timeline: timeline), at: 0)
            }
            return items
        }
    }
}
