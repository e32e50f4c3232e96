import EarshotAPI
import EarshotCatalogs
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

extension Endpoints {
    // MARK: - Jobs

    static var jobs: [Endpoint] {
        let job = Endpoint.Answer(
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
                access: .references,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The jobs.",
                        type: "application/json",
                        schema: Schemas.list("JobRecord")
                    )
                ],
                handler: { call in try .json(await call.core.jobs.jobs(for: owner(call))) }
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
                access: .references,
                body: ["application/json": Schemas.reference("JobRequest")],
                answers: [
                    Endpoint.Answer(
                        status: 202,
                        summary: "Accepted.",
                        type: "application/json",
                        schema: Schemas.reference("JobRecord")
                    ),
                    .failure(409, "The name is taken."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { try await submit($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/jobs/{id}",
                id: "job",
                summary: "A job.",
                tag: "Jobs",
                access: .references,
                parameters: [.id("The job.")],
                answers: [job, .notFound],
                handler: { call in try .json(try await record(call)) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/jobs/{id}",
                id: "cancelJob",
                summary: "Gives a job up.",
                tag: "Jobs",
                access: .references,
                parameters: [.id("The job.")],
                answers: [Endpoint.Answer(status: 204, summary: "Given up."), .notFound],
                handler: { call in
                    try await call.core.jobs.cancel(try await record(call).id)
                    return .empty
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/jobs/{id}/events",
                id: "jobEvents",
                summary: "How far a job is, as server-sent events with a job each, until it is over.",
                tag: "Jobs",
                access: .references,
                parameters: [.id("The job.")],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "Events.",
                        type: "text/event-stream",
                        schema: ["type": "string"]
                    ),
                    .notFound,
                ],
                handler: { try await events($0) }
            ),
        ]
    }

    private static func owner(_ call: Call) -> String? {
        if case .admin = call.identity { nil } else { call.identity.name }
    }

    private static func record(_ call: Call) async throws(EarshotError) -> JobRecord {
        let id = try call.path("id")
        guard let record = await call.core.jobs.job(id, for: owner(call)) else { throw missing("job", id) }
        return record
    }

    private static func submit(_ call: Call) async throws -> Response {
        let request = try await call.document(JobRequest.self)
        var input: [String: String] = [:]
        switch request.kind {
        case .addReference:
            guard let text = request.url, let url = URL(string: text) else {
                throw EarshotError(.requestInvalid, "addReference needs the url to fetch the audio from.")
            }
            _ = try call.core.catalog.changeable()
            if let id = request.id, call.core.catalog.catalog.contains(ReferenceID(id)) {
                throw EarshotError(.referenceExists, "The catalog has a reference named \(id.prefix(120)) already.")
            }
            // The name server may take its time.
            let fetcher = call.core.fetcher
            _ = try await call.core.queue.run { () throws(EarshotError) in try fetcher.check(url) }
            input = request.item ?? [:]
            input["url"] = text
            input["id"] = request.id
            for (name, value) in input where value.utf8.count > 4_096 {
                throw EarshotError(.requestInvalid, "\(name.prefix(40)) has more than 4,096 bytes.")
            }
        case .publish:
            guard let name = request.id, PublishedCatalogs.isName(name) else {
                throw EarshotError(
                    .requestInvalid,
                    "publish needs an id of 1 to 64 letters, digits, hyphens, dots and underscores: the catalog's name."
                )
            }
            input["id"] = name
        case .backup, .check:
            guard case .admin = call.identity else {
                throw EarshotError(.accessDenied, "\(request.kind.rawValue) is for the operator: use the admin token.")
            }
        }
        let record = try await call.core.jobs.submit(
            kind: request.kind.rawValue,
            owner: call.identity.name,
            input: input
        )
        return try .json(record, .accepted)
    }

    private static func events(_ call: Call) async throws -> Response {
        let id = try await record(call).id
        return .events("job", await call.core.jobs.events(id))
    }
}
