import EarshotCore
import EarshotSharedCatalogs
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Searches the segments that this node has for other nodes: `Docs/formats/node-search.md`.
struct NodeSearchController: Controller {
    let catalog: SharedCatalog
    let exchange: NodeSearchExchange
    /// The queue of other nodes' searches, apart from that of clients, so that neither holds up the other.
    let queue: WorkQueue

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: NodeSearchExchange.path,
                id: "searchForNode",
                summary: "Searches segments for another node.",
                tag: "Nodes",
                // Not by tokens: `NodeSearchExchange` checks the seal, which only nodes can make.
                access: .open,
                isDescribed: false,
                responses: [],
                handler: { context in try await search(context) }
            )
        ]
    }

    private func search(_ context: RequestContext) async throws -> Response {
        guard let name = HTTPField.Name(NodeSeal.header), let seal = context.request.headers[name] else {
            return Response(status: .unauthorized)
        }
        let body = try await context.body(
            upTo: NodeSearchRequest.largest,
            EarshotError(
                .uploadTooLarge,
                "The request of a node has more than \(NodeSearchRequest.largest >> 20) MiB: run one version on all nodes."
            )
        )
        // The address as the owner: nodes share the queue fairly.
        let owner = WorkOwner(client: "node \(context.address ?? "")")
        let (catalog, exchange, queue) = (catalog, exchange, queue)
        let answer = try await context.untilSenderLeaves {
            await WorkOwner.$current.withValue(owner) {
                await exchange.respond(seal, [UInt8](body), catalog) { work throws(EarshotError) in
                    try await queue.run(work)
                }
            }
        }
        var headers: HTTPFields = [
            .contentType: "application/octet-stream", .contentLength: String(answer.body.count),
        ]
        if let seal = answer.seal { headers[name] = seal }
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }
}
