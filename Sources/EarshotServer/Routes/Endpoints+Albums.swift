import EarshotAPI
import EarshotAlbums
import EarshotCatalogs
import EarshotCore
import EarshotFingerprints
import EarshotRecognition
import Foundation
import Hummingbird

extension Endpoints {
    // MARK: - Albums

    /// The longest request: a hundred files with signatures of 20 s and whole fingerprints.
    private static let albumRequestLimit = 4 << 20

    static var albums: [Endpoint] {
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
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "A decision for each file, in the order of the request.",
                        type: "application/json",
                        schema: Schemas.reference("AlbumDecisions")
                    ), .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                ],
                handler: { call in
                    let request = try await call.document(AlbumRequest.self, limit: albumRequestLimit)
                    let preferences = try ContentPreferences(parameters: call.parameters)
                    let prints = call.core.fingerprints.flatMap { $0.index.count > 0 ? $0 : nil }
                    let decider = AlbumDecider(
                        call.core.service(for: call.identity, base: call.base),
                        hearing: prints?.hearing(in: call.core.music)
                    )
                    let query = try request.query()
                    // What is searched for by its sound counts as a recognition; words count as one together.
                    let searched = query.files.count { $0.signature != nil || $0.fingerprint != nil }
                    let decisions = try await counting(max(1, searched), call) { () throws(EarshotError) in
                        try await decider.identify(query, preferences)
                    }
                    count(decisions.allSatisfy { $0.match == nil }, "album", call)
                    return try .json(AlbumDecisions(decisions))
                }
            )
        ]
    }
}
