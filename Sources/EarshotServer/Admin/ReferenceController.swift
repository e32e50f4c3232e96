import Crypto
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import HTTPTypes
import Hummingbird

/// Lists, adds and removes the references of the catalog.
struct ReferenceController: Controller {
    let catalog: CatalogProvider
    let references: ReferenceWriter
    let uploads: UploadReader
    let queue: WorkQueue
    let sources: ReferenceSources

    var endpoints: [Endpoint] { audio + items + [duplicates] }

    private var audio: [Endpoint] {
        let item: [Endpoint.Parameter] = [
            .text("title", "What the recording is called."), .text("artist", "Whose it is."),
            .text("album", "Its album."),
            .text("isrc", "Its ISRC."),
            .text("trackID", "The track that it is; its metadata is answered then."),
        ]
        let made = Endpoint.Response(
            status: 201,
            summary: "The reference.",
            type: "application/json",
            schema: Schemas.reference("ReferenceRecord")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/references",
                id: "references",
                summary: "The references of the catalog, in order of adding.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [
                    .text(
                        "q",
                        "Words of the name, title, artist and album of the references in the list; all where it is left out."
                    )
                ] + Schemas.page(limit: 1_000, default: 100),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The references.",
                        type: "application/json",
                        schema: Schemas.reference("ReferencePage")
                    )
                ],
                handler: { try await list($0) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/references",
                id: "addReference",
                summary:
                    "Adds a reference: the body is its audio or its signature, as for a recognition. One that is there already is answered as it is.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [.text("id", "Its name; without it the content gives one.")] + item,
                body: Upload.body,
                isQueued: true,
                isWriting: true,
                responses: [
                    made,
                    Endpoint.Response(
                        status: 200,
                        summary: "The reference that is there already.",
                        type: "application/json",
                        schema: Schemas.reference("ReferenceRecord")
                    ),
                    .failure(409, "The name is taken, or the recording is there with other metadata."),
                ] + Endpoint.Response.uploadFailures,
                handler: { context in
                    try await add(context, id: try context.text("id").map { ReferenceID($0) }, replacing: false)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/references/{id}",
                id: "reference",
                summary: "A reference.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [.id("The reference.")],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The reference.",
                        type: "application/json",
                        schema: Schemas.reference("ReferenceRecord")
                    ),
                    .notFound,
                ],
                handler: { context in
                    let reference = try await find(context)
                    var record = ReferenceRecord(reference)
                    if context.identity.rights.contains(.media) {
                        record.asset = await sources.state().asset(of: record)
                    }
                    return try .json(record)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/references/{id}/signature",
                id: "signatureOfReference",
                summary: "The signature of a reference.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [.id("The reference.")],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The signature.",
                        type: ServiceAPI.signatureType,
                        schema: ["type": "string", "format": "binary"]
                    ),
                    .notFound,
                ],
                handler: { context in .bytes(try await find(context).signature.data, type: ServiceAPI.signatureType) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/references/{id}",
                id: "putReference",
                summary: "Adds a reference, or puts it in the place of the one of the same name.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [.id("The reference.")] + item,
                body: Upload.body,
                isQueued: true,
                isWriting: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "Replaced.",
                        type: "application/json",
                        schema: Schemas.reference("ReferenceRecord")
                    ),
                    made,
                ] + Endpoint.Response.uploadFailures,
                handler: { context in try await add(context, id: ReferenceID(try context.path("id")), replacing: true) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/references/{id}",
                id: "removeReference",
                summary: "Removes a reference.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [.id("The reference.")],
                responses: [Endpoint.Response(status: 204, summary: "Removed."), .notFound],
                handler: { context in
                    try catalog.checkChangeable()
                    let id = ReferenceID(try context.path("id"))
                    try await references.remove(id, for: context.identity.owner)
                    return .empty
                }
            ),
        ]
    }

    func find(_ context: RequestContext) async throws(EarshotError) -> Reference {
        let id = ReferenceID(try context.path("id"))
        guard let reference = try await catalog.part(with: [id]).reference(id) else { throw Self.missing(id) }
        return reference
    }

    static func missing(_ id: ReferenceID) -> EarshotError {
        EarshotError(
            .referenceNotFound,
            "The catalog has no reference named \(id.rawValue.prefix(120)): list them with GET /v1/references."
        )
    }

    private func list(_ context: RequestContext) async throws -> Response {
        let offset = try context.number("offset", 0...100_000_000, default: 0)
        let limit = try context.number("limit", 1...1_000, default: 100)
        let words = ReferenceWords(try context.text("q") ?? "")
        let catalog = try await catalog.listed()
        let page = try await queue.run { () throws(EarshotError) in
            try catalog.page(offset: offset, limit: limit, where: words.map { words in words.fit })
        }
        return try .json(
            ReferencePage(references: page.references.map { ReferenceRecord($0) }, offset: offset, total: page.total)
        )
    }

    private func add(_ context: RequestContext, id: ReferenceID?, replacing: Bool) async throws -> Response {
        try catalog.checkChangeable()
        if let id, replacing, try await catalog.contains(id) {
            // Checked before a recording is sent and decoded in vain.
            try await references.owners.check(OwnedResource(.reference, id.rawValue), for: context.identity.owner)
        }
        let uploads = uploads
        let upload = try await context.untilSenderLeaves {
            try await uploads.read(context, limit: nil, isLive: false)
        }
        var fields: [String: String] = [:]
        for (name, value) in context.parameters + upload.fields where !value.isEmpty { fields[name] = value }
        let (record, isNew) = try await references.keep(
            upload.signature,
            id: id ?? fields["id"].map { ReferenceID($0) },
            fields,
            replacing: replacing,
            for: context.identity.owner
        )
        return try .json(record, isNew ? .created : .ok)
    }
}
