import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Makes tracklists of long recordings, and sends them.
///
/// A tracklist of a user is shown to that user only. One of a visitor, or of a client without a user, is shown to any sender of the same client
/// that knows its identifier, which cannot be guessed.
struct TracklistController: Controller {
    /// The limits of the number of tracklists, because a waiting recording takes disk space.
    static let limits = JobLimits(memory: 10_000, ownerMemory: 50, waiting: 100, ownerWaiting: 3)

    let jobs: JobQueue
    let files: TracklistFiles
    let receiver: RecordingReceiver
    let runner: RecognitionRunner
    let authenticator: Authenticator

    var endpoints: [Endpoint] {
        let record = Endpoint.Response(
            status: 200,
            summary: "The tracklist, as far as it is.",
            type: "application/json",
            schema: Schemas.reference("TracklistJob")
        )
        return [
            Endpoint(
                method: .post,
                path: "/v1/tracklists",
                id: "makeTracklist",
                summary: """
                    Has the tracklist of a long recording made, such as a mix or a program: what is heard in it, and when. The body is its audio in \
                    any format, or its signature. Each begun minute counts as a recognition.
                    """,
                tag: "Recognition",
                access: .client,
                module: .music,
                parameters: [.text("name", "What the recording is called, such as the name of its file.")],
                body: Upload.body.filter { $0.key != "multipart/form-data" },
                isWriting: true,
                extent: .upload,
                responses: [
                    Endpoint.Response(
                        status: 202,
                        summary: "Accepted.",
                        type: "application/json",
                        schema: Schemas.reference("TracklistJob")
                    ), .failure(408, "The upload took too long."), .failure(413, "The upload is too large."),
                    .failure(415, "The type of content is not taken."),
                    .failure(507, "There is no space for the upload on the service's disk."),
                ],
                handler: { try await make($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/tracklists",
                id: "tracklists",
                summary: "The tracklists of the user, the latest first, without their entries.",
                tag: "Recognition",
                access: .client,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The tracklists.",
                        type: "application/json",
                        schema: Schemas.list("TracklistJob")
                    )
                ],
                handler: { try await list($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/tracklists/{id}",
                id: "tracklist",
                summary: "A tracklist, or how far it is.",
                tag: "Recognition",
                access: .client,
                parameters: [.id("The tracklist.")],
                responses: [record, .notFound],
                handler: { context in
                    let job = try await job(context)
                    return try .json(TracklistJob(job, tracklist: try await tracklist(of: job)))
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/tracklists/{id}",
                id: "removeTracklist",
                summary: "Removes a tracklist, or gives one up that is not done.",
                tag: "Recognition",
                access: .client,
                parameters: [.id("The tracklist.")],
                responses: [Endpoint.Response(status: 204, summary: "Removed."), .notFound],
                handler: { try await remove($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/tracklists/{id}/events",
                id: "tracklistEvents",
                summary: "How far a tracklist is, as server-sent events with a job each, until it is over.",
                tag: "Recognition",
                access: .client,
                parameters: [.id("The tracklist.")],
                responses: [
                    .events("job"), .notFound,
                ],
                handler: { context in
                    let id = try await job(context).id
                    return .events("job", try await jobs.events(id), confirming: context.confirm)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/tracklists/{id}/file",
                id: "tracklistFile",
                summary: "A tracklist as a file: a cue sheet, a table, or JSON.",
                tag: "Recognition",
                access: .client,
                parameters: [
                    .id("The tracklist."),
                    Endpoint.Parameter(
                        name: "format",
                        schema: Schemas.choice(TracklistFiles.Form.allCases.map(\.rawValue)),
                        summary: "The form of the file.",
                        isRequired: true
                    ),
                ],
                responses: Endpoint.Response.file(["application/json", "application/x-cue", "text/csv"]) + [.notFound],
                handler: { try await file($0) }
            ),
        ]
    }

    // MARK: - Making

    private func make(_ context: RequestContext) async throws -> Response {
        try Self.checkType(context)
        let given = try context.text("name") ?? ""
        let owner = owner(context)
        let isOperator = context.identity.owner == nil
        // Checked before a recording is sent in vain.
        try await jobs.check(owner, isOperator: isOperator)
        let (jobs, files, receiver) = (jobs, files, receiver)
        let job = try await runner.counting(1, context) {
            let recording = try await receiver.take(context, of: owner)
            defer { files.settle(recording) }
            var input = ["recording": recording, "name": Tracklist.onOneLine(given)]
            input["client"] = context.identity.client?.id
            input["user"] = context.identity.user
            do {
                return try await jobs.submit(
                    kind: "tracklist",
                    owner: owner,
                    isOperator: isOperator,
                    isLocal: true,
                    input: input
                )
            } catch {
                files.removeRecording(recording)
                throw error
            }
        }
        return try .json(TracklistJob(job), .accepted)
    }

    /// Refuses a body that is neither audio nor a signature.
    ///
    /// - Throws: `mediaTypeUnsupported`.
    private static func checkType(_ context: RequestContext) throws(EarshotError) {
        let type = (context.request.headers[.contentType] ?? "").prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).lowercased()
        let others = [ServiceAPI.signatureType, "application/octet-stream", "application/ogg"]
        guard type.hasPrefix("audio/") || type.hasPrefix("video/") || others.contains(type) else {
            throw EarshotError(
                .mediaTypeUnsupported,
                "\"\(type.prefix(80))\" is not taken: send audio/*, video/*, application/octet-stream or \(ServiceAPI.signatureType)."
            )
        }
    }

    /// Returns the owner of a tracklist's turn. Visitors are distinguished by their origin, of which only a digest is
    /// stored.
    private func owner(_ context: RequestContext) -> String {
        let owner = authenticator.workOwner(context.identity, from: RequestOrigin(context.address))
        guard let user = owner.user else { return owner.client }
        return "\(owner.client)/\(Secrets.digest(user).prefix(9).base64URL)"
    }

    // MARK: - Reading

    /// Returns the job of a request, if its sender may see it.
    ///
    /// - Throws: `entityNotFound`.
    private func job(_ context: RequestContext) async throws(EarshotError) -> Job {
        let id = try context.path("id")
        guard let job = try await jobs.job(id), isVisible(job, to: context.identity) else {
            throw EarshotError.missing("tracklist", id)
        }
        return job
    }

    private func isVisible(_ job: Job, to identity: Identity) -> Bool {
        if case .admin = identity { return true }
        if let user = job.order.input["user"] { return identity.user == user }
        return job.order.input["client"] == identity.client?.id
    }

    private func list(_ context: RequestContext) async throws -> Response {
        let identity = context.identity
        // The operator sees the tracklists of all owners.
        let owner = identity.owner == nil ? nil : owner(context)
        let visible = try await jobs.jobs(of: owner).filter { job in
            // Visitors cannot be told from each other, so they get no list.
            identity.user == nil
                ? !isVisitor(identity) && isVisible(job, to: identity) : job.order.input["user"] == identity.user
        }
        return try .json(visible.prefix(100).map { TracklistJob($0) })
    }

    private func isVisitor(_ identity: Identity) -> Bool {
        identity.client.map { $0.id == authenticator.browsers?.client } ?? false
    }

    private func tracklist(of job: Job) async throws(EarshotError) -> TracklistRecord? {
        guard job.state == .done else { return nil }
        let url = files.result(job.id, .json)
        return try await BlockingWork.run { () throws(EarshotError) in
            FileManager.default.contents(atPath: url.path).flatMap {
                try? ServiceAPI.decoder().decode(TracklistRecord.self, from: $0)
            }
        }
    }

    private func remove(_ context: RequestContext) async throws -> Response {
        let id = try await job(context).id
        try await jobs.cancel(id)
        // A running job ends after the slice that is being searched: wait for it, so that its files can be removed.
        for await record in try await jobs.events(id) where record.state.isFinal { break }
        try await jobs.forget(id)
        try await files.removeLeftovers { () throws(EarshotError) in try await jobs.jobs() }
        return .empty
    }

    private func file(_ context: RequestContext) async throws -> Response {
        let job = try await job(context)
        guard let form = try context.text("format").flatMap(TracklistFiles.Form.init(rawValue:)) else {
            throw EarshotError(
                .requestInvalid,
                "format is not known: choose \(TracklistFiles.Form.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        let url = files.result(job.id, form)
        guard job.state == .done, FileManager.default.fileExists(atPath: url.path) else {
            throw EarshotError(
                .entityNotFound,
                "The tracklist \(job.id) has no files here: it is not done, or lies with the node that was sent the recording."
            )
        }
        let tag = "\"\(job.id)-\(form.rawValue)\""
        var response = try Response.file(url, type: form.type, tag: tag, context.request.headers)
        let stem = (job.order.input["name"] ?? "").split(separator: ".").dropLast().joined(separator: ".")
        // In the form of RFC 8187, which allows names in any script.
        let name = "\(stem.isEmpty ? "tracklist" : stem).\(form.rawValue)"
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        response.headers[.contentDisposition] = "attachment; filename*=UTF-8''\(name ?? "tracklist")"
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }
}

extension TracklistJob {
    init(_ job: Job, tracklist: TracklistRecord? = nil) {
        self.init(job: JobRecord(job), name: job.order.input["name"] ?? "", tracklist: tracklist)
    }
}
