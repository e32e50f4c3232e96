import CoreMetrics
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import Hummingbird
import Logging

/// Recognizes recordings.
struct RecognitionController: Controller {
    let runner: RecognitionRunner
    let services: RecognitionServiceFactory
    let accounts: any AccountStore

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/recognitions",
                id: "recognise",
                summary: """
                    Says what a recording is. The body is a signature, or audio in any format, or a form with a part named \
                    sample. Without a match the list is empty.
                    """,
                tag: "Recognition",
                access: .client,
                module: .music,
                parameters: [
                    Endpoint.Parameter(
                        name: "kind",
                        schema: ["type": "string", "enum": ["stream", "file"], "default": "stream"],
                        summary: "stream: the recording begins anywhere in a track; file: at its begin."
                    ),
                    Endpoint.Parameter(
                        name: "live",
                        schema: Schemas.flag,
                        summary: "1: answer as soon as enough has arrived, though more is on its way."
                    ), .moreEvidence,
                    .flag(
                        "landmarks",
                        "with the landmarks of the recording, and which of them the reference of the best match has too."
                    ),
                    Endpoint.Parameter(
                        name: "history",
                        schema: Schemas.flag,
                        summary:
                            "0: the user's history does not get the match, as of a recording that is asked about again and again."
                    ),
                ] + Schemas.preferences(withSingle: true),
                body: Upload.body,
                isQueued: true,
                responses: [
                    .list("The matches, best first.")
                ] + Endpoint.Response.uploadFailures,
                handler: { try await recognize($0) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/signatures",
                id: "makeSignature",
                summary: """
                    The signature of the first 20 s of a recording, for whoever cannot make one and sends it on, as \
                    POST /v1/albums/identifications takes it. It counts as a recognition.
                    """,
                tag: "Recognition",
                access: .client,
                module: .music,
                body: Upload.body,
                isQueued: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The signature.",
                        type: ServiceAPI.signatureType,
                        schema: ["type": "string", "format": "binary"]
                    )
                ] + Endpoint.Response.uploadFailures,
                handler: { context in
                    .bytes(try await runner.signature(context).data, type: ServiceAPI.signatureType)
                }
            ),
        ]
    }

    private func recognize(_ context: RequestContext) async throws -> Response {
        let coverage = SearchCoverage()
        let service = services.service(for: context, coverage)
        let wantsLandmarks = try context.flag("landmarks")
        let isRemembered = try context.text("history") == nil || context.flag("history")
        let ((matches, landmarks), kind) = try await runner.recognize(context) {
            (query, preferences) async throws(EarshotError) -> ([MusicMatch], [RecordingLandmark]?) in
            let matches = try await service.recognize(query, preferences)
            guard wantsLandmarks else { return (matches, nil) }
            return (matches, await self.landmarks(of: query.signature, on: matches.first))
        }
        var entry: Int?
        if isRemembered, let user = context.identity.user, var match = matches.first {
            // Addresses of content expire, and the history does not: the cover is found by the track.
            match.album.coverArt = nil
            match.artist.image = nil
            match.artist.biographyURL = nil
            match.album.reviewURL = nil
            do throws(EarshotError) {
                entry = try await accounts.addHistory(
                    of: user,
                    date: context.now,
                    kind: kind.rawValue,
                    match: match,
                    limit: context.settings.historyLimit
                ).id
            } catch {
                // The answer is sent all the same: a full disk must not prevent recognition.
                context.logger.error("The history could not be written", metadata: ["reason": "\(error.message)"])
            }
        }
        runner.count(matches.isEmpty, kind.rawValue)
        return try .json(
            MatchList(matches, historyEntry: entry, landmarks: landmarks, searched: coverage.searched)
        )
    }

    /// Returns the landmarks of a recording, with `isShared` for those that its best match has too; `nil` if the service is too busy, or the
    /// reference cannot be fetched.
    private func landmarks(of signature: Signature, on match: MusicMatch?) async -> [RecordingLandmark]? {
        let reference = match?.placement?.reference
        guard let catalog = try? await runner.catalog.part(with: reference.map { [$0] } ?? []) else { return nil }
        let marks = try? await services.queue.run { () throws(EarshotError) in
            try catalog.marks(of: signature, on: match?.placement.map { ($0.reference, $0.placement) })
        }
        return marks?.map { RecordingLandmark(time: $0.time, frequency: $0.frequency, isShared: $0.isMatched) }
    }
}
