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
    let bundles: OfferedBundles
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
                handler: { _ in try .json(BundleList(try await bundles.all())) }
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
                    guard let (bundle, url) = try await bundles.file(of: id) else {
                        throw EarshotError.missing("bundle", id)
                    }
                    return try Response.file(
                        url,
                        type: ServiceAPI.bundleType,
                        tag: "\"\(bundle.sha256)\"",
                        context.request.headers
                    )
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
                    guard try await bundles.bundle(id) != nil else { throw EarshotError.missing("bundle", id) }
                    try await owners.remove(OwnedResource(.bundle, id), for: context.identity.owner) {
                        () async throws(EarshotError) in
                        guard try await bundles.remove(id) else { throw EarshotError.missing("bundle", id) }
                    }
                    return .empty
                }
            ),
        ]
    }

    private func publish(_ context: RequestContext) async throws -> Response {
        let (bundles, id) = (bundles, try context.path("id"))
        let (resource, client) = (OwnedResource(.bundle, id), context.identity.owner)
        // Checked before a bundle is sent in vain.
        if try await bundles.bundle(id) != nil { try await owners.check(resource, for: client) }
        let file = try bundles.temporaryURL()
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
                    throw EarshotError(
                        .writeFailed,
                        "There is no space for the upload on the service's disk: tell its operator.",
                        cause: error
                    )
                }
            }
        }
        let now = context.now
        let record = try await owners.change(
            resource,
            for: client,
            exists: { () async throws(EarshotError) in try await bundles.bundle(id) != nil },
            { (_: Bool) async throws(EarshotError) in
                try await bundles.publish(moving: file, named: "The upload", id: id, at: now)
            }
        )
        return try .json(record)
    }
}
