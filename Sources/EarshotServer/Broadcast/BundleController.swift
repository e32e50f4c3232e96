import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Lists, sends and publishes bundles.
struct BundleController: Controller {
    let bundles: BundleRepository
    let queue: WorkQueue
    let owners: ResourceOwners

    var endpoints: [Endpoint] {
        let record = Schemas.reference("BundleDescription")
        let binary: JSONValue = ["type": "string", "format": "binary"]
        return [
            Endpoint(
                method: .get,
                path: "/v1/bundles",
                id: "bundles",
                summary: "The bundles that the service offers.",
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The bundles, in order of their ids.",
                        type: "application/json",
                        schema: Schemas.reference("BundleList")
                    )
                ],
                handler: { context in
                    let shelf = bundles
                    return try .json(
                        BundleList(try await queue.run { () throws(EarshotError) in shelf.bundles() })
                    )
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/bundles/{id}",
                id: "bundle",
                summary: """
                    The bytes of a bundle, or a part of them: with Range, and If-Range with its entity tag, an interrupted \
                    download goes on.
                    """,
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                parameters: [.id("The bundle.")],
                responses: Endpoint.Response.file(ServiceAPI.bundleType) + [.notFound],
                handler: { context in
                    let id = try context.path("id")
                    let shelf = bundles
                    for _ in 0..<5 {
                        guard let bundle = shelf.bundle(id) else { throw EarshotError.missing("bundle", id) }
                        // Published anew in between, there is a file of another name.
                        guard
                            FileManager.default.fileExists(atPath: shelf.url(bundle).path) || shelf.bundle(id) == bundle
                        else { continue }
                        return try Response.file(
                            shelf.url(bundle),
                            type: ServiceAPI.bundleType,
                            tag: "\"\(bundle.sha256)\"",
                            context.request.headers
                        )
                    }
                    throw EarshotError(.serviceBusy, "Bundle \(id) is being published anew: ask again.")
                }
            ),
            Endpoint(
                method: .put,
                path: "/v1/bundles/{id}",
                id: "publishBundle",
                summary: "Publishes a bundle in place of an earlier version of it.",
                tag: "Broadcasts",
                access: .right(.bundles),
                parameters: [.id("The bundle.")],
                body: [ServiceAPI.bundleType: binary],
                isWriting: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The bundle.",
                        type: "application/json",
                        schema: record
                    ),
                    .failure(408, "The upload took too long."),
                    .failure(409, "The same version, or a later one, is published already."),
                    .failure(413, "The upload is too large."),
                    .failure(422, "The upload is no bundle, or is damaged."),
                ],
                handler: { try await publish($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/bundles/{id}",
                id: "removeBundle",
                summary: "Offers a bundle no more. Who has it keeps it.",
                tag: "Broadcasts",
                access: .right(.bundles),
                parameters: [.id("The bundle.")],
                responses: [Endpoint.Response(status: 204, summary: "It is offered no more."), .notFound],
                handler: { context in
                    let id = try context.path("id")
                    let shelf = bundles
                    guard shelf.bundle(id) != nil else { throw EarshotError.missing("bundle", id) }
                    try await owners.remove(OwnedResource(.bundle, id), for: context.identity.owner) {
                        () throws(EarshotError) in
                        guard shelf.remove(id) else { throw EarshotError.missing("bundle", id) }
                    }
                    return .empty
                }
            ),
        ]
    }

    private func publish(_ context: RequestContext) async throws -> Response {
        let (shelf, queue, id) = (bundles, queue, try context.path("id"))
        let (resource, client) = (OwnedResource(.bundle, id), context.identity.owner)
        // Before what cannot be published is sent.
        if shelf.bundle(id) != nil { try await owners.check(resource, for: client) }
        let file = try shelf.temporaryURL()
        defer { try? FileManager.default.removeItem(at: file) }
        guard FileManager.default.createFile(atPath: file.path, contents: nil),
            let handle = FileHandle(forWritingAtPath: file.path)
        else { throw EarshotError(.writeFailed, "The upload cannot be kept: the operator finds why in the log.") }
        defer { try? handle.close() }
        let (body, limit) = (context.request.body, context.settings.uploadLimit)
        try await withTimeLimit(context.settings.uploadTime, "The upload") {
            var size = 0
            for try await part in body {
                size += part.readableBytes
                guard size <= limit else {
                    throw EarshotError(
                        .uploadTooLarge,
                        "The upload has more than \(limit >> 20) MiB: publish it with `earshot admin bundle add`."
                    )
                }
                do {
                    try handle.write(contentsOf: Data(part.readableBytesView))
                } catch {
                    throw EarshotError(.writeFailed, "There is no room for the upload.", cause: error)
                }
            }
        }
        let now = context.now
        let record = try await owners.change(
            resource,
            for: client,
            exists: { shelf.bundle(id) != nil },
            { () async throws(EarshotError) in
                try await queue.run { () throws(EarshotError) in
                    try shelf.publish(moving: file, named: "The upload", id: id, at: now)
                }
            }
        )
        return try .json(record)
    }
}
