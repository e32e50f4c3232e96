import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

/// Sends the pictures and texts whose addresses are in answers.
struct ContentController: Controller {
    let services: RecognitionServiceFactory
    let pictureQueue: WorkQueue

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/content/{token}",
                id: "content",
                summary:
                    "The picture or the text that an address in an answer leads to. The address itself says who may have it, and until when.",
                tag: "Content",
                access: .open,
                parameters: [
                    Endpoint.Parameter(
                        name: "token",
                        place: .path,
                        schema: ["type": "string"],
                        summary: "As it stands in the address.",
                        isRequired: true
                    )
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A picture that fits its square, centered on a transparent ground.",
                        type: "image/png",
                        schema: ["type": "string", "format": "binary"]
                    ),
                    Endpoint.Response(
                        status: 200,
                        summary: "A text.",
                        type: "application/json",
                        schema: Schemas.reference("Text")
                    ),
                    .notFound,
                    .failure(412, "The address has expired: fetch the track again."),
                ],
                handler: { try await deliver($0) }
            )
        ]
    }

    private func deliver(_ context: RequestContext) async throws -> Response {
        let service = services.contentService(for: context)
        let address = SignedContentAddresses.path + (context.pathParameter("token") ?? "")
        let answer = try await pictureQueue.perform { () async throws(EarshotError) in
            try await service.content(at: address)
        }
        switch answer.status {
        case 200:
            var response = Response.bytes(answer.bytes, type: answer.mimeType)
            // The address is secret and expires, so shared caches must not store the response.
            response.headers[.cacheControl] = "private, max-age=3600"
            return response
        case 412: throw EarshotError(.contentExpired, "This address has expired: fetch the track again for a new one.")
        default: throw EarshotError(.entityNotFound, "This address has no content: ask for the match again.")
        }
    }
}
