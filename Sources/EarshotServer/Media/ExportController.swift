import EarshotAPI
import EarshotCore
import EarshotRecognition
import EarshotMedia
import EarshotTags
import Foundation
import HTTPTypes
import Hummingbird

/// Exports files of the media folders.
struct ExportController: Controller {
    let access: MediaAccess

    var endpoints: [Endpoint] {
        let record = Endpoint.Response(
            status: 200,
            summary: "The export.",
            type: "application/json",
            schema: Schemas.reference("ExportRecord")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/exports",
                id: "exports",
                summary: "The caller's exports, the latest first; the operator sees all.",
                tag: "Media",
                access: .right(.exports),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The exports.",
                        type: "application/json",
                        schema: Schemas.list("ExportRecord")
                    ), .notFound,
                ],
                handler: { context in try .json(await access.exports().records(for: context.identity.owner)) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/exports",
                id: "export",
                summary: """
                    Has a file of a media folder converted. The answer says what will be done and what the result will lack; the result \
                    appears when it is whole.
                    """,
                tag: "Media",
                access: .right(.exports),
                body: ["application/json": Schemas.reference("ExportRequest")],
                responses: [
                    Endpoint.Response(
                        status: 202,
                        summary: "Accepted.",
                        type: "application/json",
                        schema: Schemas.reference("ExportRecord")
                    ), .notFound, .failure(409, "There is an export of this name."),
                    .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                    .failure(422, "The file cannot be read, or not be made into what is wanted."),
                    .failure(507, "There is no room for the result."),
                ],
                handler: { try await export($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/exports/{id}",
                id: "exportRecord",
                summary: "How far an export is, and what came of it.",
                tag: "Media",
                access: .right(.exports),
                parameters: [.id("The export.")],
                responses: [record, .notFound],
                handler: { context in try .json(try await exportRecord(context)) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/exports/{id}",
                id: "removeExport",
                summary: """
                    Cancels an export that is not over: when this is answered, nothing is written any more and nothing half done is left. \
                    Of one that is over it removes the record and the result.
                    """,
                tag: "Media",
                access: .right(.exports),
                parameters: [.id("The export.")],
                responses: [Endpoint.Response(status: 204, summary: "Canceled, or removed."), .notFound],
                handler: { context in
                    try await access.exports().remove(try await exportRecord(context).id)
                    return .empty
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/exports/{id}/events",
                id: "exportEvents",
                summary: """
                    How far an export is, as server-sent events with an export each, at most ten a second, until it is over: the last one \
                    has its final status.
                    """,
                tag: "Media",
                access: .right(.exports),
                parameters: [.id("The export.")],
                responses: [
                    .events("export"), .notFound,
                ],
                handler: { context in
                    let id = try await exportRecord(context).id
                    let place = try access.service().places.enter(context.identity.name)
                    return .events(
                        "export",
                        try await access.exports().events(id),
                        confirming: context.confirm,
                        holding: place
                    )
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/exports/{id}/file",
                id: "exportFile",
                summary: "The result of an export, or with Range a part of it.",
                tag: "Media",
                access: .right(.exports),
                parameters: [.id("The export.")],
                responses: Endpoint.Response.file("application/octet-stream") + [
                    .failure(404, "There is no such export, or it has no result.")
                ],
                handler: { try await exportFile($0) }
            ),
        ]
    }

    private func exportRecord(_ context: RequestContext) async throws(EarshotError) -> ExportRecord {
        let id = try context.path("id")
        guard let record = try await access.exports().record(id, for: context.identity.owner) else {
            throw EarshotError.missing("export", id)
        }
        return record
    }

    private func export(_ context: RequestContext) async throws -> Response {
        let (media, exports) = (try access.service(), try access.exports())
        try await media.exportDisk?.admit()
        let request = try await context.document(ExportRequest.self)
        let place = try await media.place(request.asset)
        let stated = try request.fileType()
        let name = try request.destinationName(stated)
        _ = try request.exportSettings()
        let destination = exports.folder.appendingPathComponent(name)
        // Clients must not learn the folder of exports, so messages get the name of the result.
        func told(_ error: EarshotError) -> EarshotError {
            let error = place.told(error)
            return EarshotError(error.code, error.message.replacing(destination.path, with: name))
        }
        do {
            let type = try FileType.choose(for: destination, stated: stated)
            let plan = try await context.untilSenderLeaves {
                try await media.value(
                    ExportRecord.Plan.self,
                    .plan(request, destination: destination),
                    of: place
                )
            }
            let record = try await exports.submit(
                place,
                request,
                name: name,
                type: type,
                plan: plan,
                owner: context.identity.name
            )
            return try .json(record, .accepted)
        } catch let error as EarshotError {
            throw told(error)
        }
    }

    private func exportFile(_ context: RequestContext) async throws -> Response {
        let record = try await exportRecord(context)
        guard let url = try await access.exports().file(record.id),
            FileManager.default.fileExists(atPath: url.path)
        else {
            throw EarshotError(
                .entityNotFound,
                record.status == .completed
                    ? "The result of export \(record.id) is not there any more: export anew."
                    : "Export \(record.id) has no result: it is \(record.status.rawValue)."
            )
        }
        var response = try Response.file(
            url,
            type: "application/octet-stream",
            tag: "\"\(record.id)\"",
            context.request.headers
        )
        // By RFC 8187, for names in any script.
        let name = record.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? record.id
        response.headers[.contentDisposition] = "attachment; filename*=UTF-8''\(name)"
        return response
    }
}
