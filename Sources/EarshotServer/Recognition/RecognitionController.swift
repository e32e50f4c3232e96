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
                ] + Schemas.preferences(withSingle: true),
                body: Upload.body,
                isQueued: true,
                responses: [
                    .list("The matches, best first.")
                ] + Endpoint.Response.uploadFailures,
                handler: { try await recognize($0) }
            )
        ]
    }

    private func recognize(_ context: RequestContext) async throws -> Response {
        let service = services.service(for: context)
        let (matches, kind) = try await runner.recognize(context) { query, preferences throws(EarshotError) in
            try await service.recognize(query, preferences)
        }
        if let user = context.identity.user, var match = matches.first {
            // Addresses expire, and the history does not: whoever wants the cover fetches the track.
            match.album.coverArt = nil
            match.artist.image = nil
            match.artist.biographyURL = nil
            match.album.reviewURL = nil
            do throws(EarshotError) {
                try await accounts.addHistory(
                    of: user,
                    date: context.now,
                    kind: kind.rawValue,
                    match: match,
                    limit: context.settings.historyLimit
                )
            } catch {
                // The answer is known and is given: a full disk must not keep anybody from recognizing.
                context.logger.error("The history could not be written", metadata: ["reason": "\(error.message)"])
            }
        }
        runner.count(matches.isEmpty, kind.rawValue)
        return try .json(MatchList(matches))
    }
}
