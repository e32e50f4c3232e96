import EarshotAPI
import EarshotAlbums
import EarshotCatalogs
import EarshotCore
import EarshotFingerprints
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

/// Identifies the albums of files that belong together.
struct AlbumController: Controller {
    let runner: RecognitionRunner
    let services: RecognitionServiceFactory
    let music: any MusicStore
    let fingerprints: FingerprintLibrary?

    /// The most bytes of a request: a hundred files with signatures of 20 s and whole fingerprints.
    private static let albumRequestLimit = 4 << 20

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/albums/identifications",
                id: "identifyAlbums",
                summary: """
                    Says of files that were gathered together, such as those of a folder, which track of which album each is. \
                    Whatever is known of a file may be left out; each gets one match, or none.
                    """,
                tag: "Recognition",
                access: .client,
                module: .music,
                parameters: Schemas.preferences(withSingle: false),
                body: ["application/json": Schemas.reference("AlbumRequest")],
                isQueued: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A decision for each file, in the order of the request.",
                        type: "application/json",
                        schema: Schemas.reference("AlbumDecisions")
                    ), .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                ],
                handler: { context in
                    let request = try await context.document(AlbumRequest.self, limit: Self.albumRequestLimit)
                    let preferences = try ContentPreferences(parameters: context.parameters)
                    let prints = fingerprints.flatMap { $0.index.count > 0 ? $0 : nil }
                    let coverage = SearchCoverage()
                    let decider = AlbumDecider(
                        services.service(for: context, coverage),
                        hearing: prints?.trackScoring(in: music)
                    )
                    let query = try request.query()
                    // Each file that is searched by its audio counts as a recognition. A request without any counts as one.
                    let searched = query.files.count { $0.signature != nil || $0.fingerprint != nil }
                    let decisions = try await runner.counting(max(1, searched), context) { () throws(EarshotError) in
                        try await decider.identify(query, preferences)
                    }
                    runner.count(decisions.allSatisfy { $0.match == nil }, "album")
                    return try .json(AlbumDecisions(decisions, searched: coverage.searched))
                }
            )
        ]
    }
}
