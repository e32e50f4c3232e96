import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import EarshotSignatures
import Foundation
import Hummingbird

/// Recognizes pieces in recordings.
struct PieceRecognitionController: Controller {
    let pieces: PieceService
    let runner: RecognitionRunner
    let queue: WorkQueue

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/pieces/recognitions",
                id: "recognisePiece",
                summary: "Says which pieces a recording is of. The body is that of POST /v1/recognitions.",
                tag: "Pieces",
                access: .client,
                module: .music,
                body: Upload.body,
                isQueued: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The pieces, the surest first; none where nothing is found.",
                        type: "application/json",
                        schema: Schemas.reference("PieceMatches")
                    )
                ] + Endpoint.Response.uploadFailures,
                handler: { try await recognizePiece($0) }
            )
        ]
    }

    private func recognizePiece(_ context: RequestContext) async throws -> Response {
        let queue = queue
        let (match, _) = try await runner.recognize(context) { query, _ throws(EarshotError) -> Match? in
            guard let catalog = pieces.catalog?.catalog, !catalog.isEmpty else { return nil }
            let signature = query.signature.slice(from: .zero, duration: catalog.queryLimits.maximum).signature
            return try await queue.run { () throws(EarshotError) in try catalog.match(signature) }
        }
        let references = match?.references ?? []
        let reader = try await pieces.reader(context.identity)
        let records = try await pieces.store.pieces(references.compactMap { PieceID($0.id.rawValue) })
        let shown = try await pieces.told(records.values.filter { reader.mayFind($0) }, base: context.base)
        let known = Dictionary(shown.map { ($0.id.description, $0) }, uniquingKeysWith: { $1 })
        let matches = references.compactMap { reference in
            known[reference.id.rawValue].map { piece in
                PieceMatches.Match(
                    piece: piece,
                    offset: reference.offset.seconds,
                    speedSkew: reference.speedSkew,
                    confidence: reference.confidence
                )
            }
        }
        runner.count(matches.isEmpty, "piece")
        return try .json(PieceMatches(matches))
    }
}
