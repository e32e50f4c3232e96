import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Submits and follows jobs.
struct JobController: Controller {
    let jobs: JobQueue
    let catalog: CatalogProvider
    let fetcher: SafeFetcher
    let disk: DiskReserve

    var endpoints: [Endpoint] {
        let found = Endpoint.Response(
            status: 200,
            summary: "The job.",
            type: "application/json",
            schema: Schemas.reference("JobRecord")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/jobs",
                id: "jobs",
                summary: "The caller's jobs, the latest first; the operator sees all.",
                tag: "Jobs",
                access: .right(.references),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The jobs.",
                        type: "application/json",
                        schema: Schemas.list("JobRecord")
                    )
                ],
                handler: { context in try .json(try await jobs.jobs(of: context.identity.owner).map { JobRecord($0) }) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/jobs",
                id: "submitJob",
                summary: """
                    Has something done that takes longer. addReference fetches audio from a public address and adds it; \
                    publish publishes the catalog; backup copies the databases and the catalog into the data folder \
                    (operator only); check looks for damage (operator only).
                    """,
                tag: "Jobs",
                access: .right(.references),
                body: ["application/json": Schemas.reference("JobRequest")],
                responses: [
                    Endpoint.Response(
                        status: 202,
                        summary: "Accepted.",
                        type: "application/json",
                        schema: Schemas.reference("JobRecord")
                    ),
                    .failure(409, "The name is taken."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                    .failure(422, "The host of the address is not known, or could not be looked up."),
                    .failure(507, "There is no room for what it would keep."),
                ],
                handler: { try await submit($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/jobs/{id}",
                id: "job",
                summary: "A job.",
                tag: "Jobs",
                access: .right(.references),
                parameters: [.id("The job.")],
                responses: [found, .notFound],
                handler: { context in try .json(JobRecord(try await job(context))) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/jobs/{id}",
                id: "cancelJob",
                summary: "Gives a job up.",
                tag: "Jobs",
                access: .right(.references),
                parameters: [.id("The job.")],
                responses: [Endpoint.Response(status: 204, summary: "Given up."), .notFound],
                handler: { context in
                    try await jobs.cancel(try await job(context).id)
                    return .empty
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/jobs/{id}/events",
                id: "jobEvents",
                summary: "How far a job is, as server-sent events with a job each, until it is over.",
                tag: "Jobs",
                access: .right(.references),
                parameters: [.id("The job.")],
                responses: [
                    .events("job"),
                    .notFound,
                ],
                handler: { try await events($0) }
            ),
        ]
    }

    private func job(_ context: RequestContext) async throws(EarshotError) -> Job {
        let id = try context.path("id")
        let owner = context.identity.owner
        guard let job = try await jobs.job(id), owner == nil || job.order.owner == owner else {
            throw EarshotError.missing("job", id)
        }
        return job
    }

    /// The most names that a reference's item may have.
    private static let mostNames = 16

    private func submit(_ context: RequestContext) async throws -> Response {
        let request = try await context.document(JobRequest.self)
        var input: [String: String] = [:]
        // Other jobs read or write files in the data folder of this node.
        let isLocal = request.kind != .addReference
        if request.kind != .check { try await disk.admit() }
        switch request.kind {
        case .addReference:
            guard let text = request.url, let url = URL(string: text) else {
                throw EarshotError(
                    .requestInvalid,
                    "The job addReference has no url: give the address to fetch the audio from."
                )
            }
            try catalog.checkChangeable()
            if let id = request.id, try await catalog.contains(ReferenceID(id)) {
                throw EarshotError(
                    .referenceExists,
                    "The catalog has a reference named \(id.prefix(120)) already: choose another id."
                )
            }
            try await fetcher.lookUp(url)
            input = request.item ?? [:]
            guard input.count <= Self.mostNames else {
                throw EarshotError(.requestInvalid, "item has \(input.count) names: give \(Self.mostNames) at most.")
            }
            input["url"] = text
            input["id"] = request.id
            for (name, value) in input where value.utf8.count > 4_096 {
                throw EarshotError(
                    .requestInvalid,
                    "\(name.prefix(40)) of the item has more than 4,096 bytes: shorten it."
                )
            }
        case .publish:
            guard let name = request.id, ResourceName.isValid(name) else {
                throw EarshotError(
                    .requestInvalid,
                    "publish needs an id of 1 to 64 letters, digits, hyphens, dots and underscores: the catalog's name."
                )
            }
            input["id"] = name
        case .backup, .check:
            guard case .admin = context.identity else {
                throw EarshotError(.accessDenied, "\(request.kind.rawValue) is for the operator: use the admin token.")
            }
        }
        let job = try await jobs.submit(
            kind: request.kind.rawValue,
            owner: context.identity.name,
            isOperator: context.identity.owner == nil,
            isLocal: isLocal,
            input: input
        )
        return try .json(JobRecord(job), .accepted)
    }

    private func events(_ context: RequestContext) async throws -> Response {
        let id = try await job(context).id
        return .events("job", try await jobs.events(id), confirming: context.confirm)
    }
}
