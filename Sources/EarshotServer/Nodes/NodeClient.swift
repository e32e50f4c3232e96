import AsyncHTTPClient
import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import NIOCore
import NIOHTTP1

/// Asks other nodes for parts of a search over HTTP.
final class NodeClient: Sendable {
    /// Connections to a node that are kept for the next request.
    private static let connections = 64
    /// The time after which a connection that is not used is closed: before the other side does, which would lose a request.
    private static let idleTime = TimeAmount.seconds(15)
    /// The time for which an answer is awaited longer than the search lasts, in milliseconds. The search ends the request by itself.
    private static let allowance: Int64 = 500

    private let exchange: NodeSearchExchange
    private let client: HTTPClient

    init(_ exchange: NodeSearchExchange) {
        self.exchange = exchange
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(1)
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.idleTimeout = Self.idleTime
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
        // The gather asks another node long before a second attempt would help.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    /// Asks a node. A canceled task ends the request, and what the node does for it.
    func ask(_ node: NodeRecord, _ request: NodeSearchRequest) async -> Result<NodeSearchAnswer, Gather.Failure> {
        guard let address = node.address, let (body, seal) = try? exchange.sealed(request) else {
            return .failure(.unreachable)
        }
        var message = HTTPClientRequest(url: "http://\(address)\(NodeSearchExchange.path)")
        message.method = .POST
        message.headers.add(name: NodeSeal.header, value: seal)
        message.body = .bytes(ByteBuffer(bytes: body))
        do {
            let limit = TimeAmount.milliseconds(Int64(request.patience) + Self.allowance)
            let response = try await client.execute(message, timeout: limit)
            let bytes = try await response.body.collect(upTo: NodeSearchAnswer.largest)
            return exchange.answer(
                NodeSearchExchange.Response(
                    status: Int(response.status.code),
                    body: [UInt8](bytes.readableBytesView),
                    seal: response.headers.first(name: NodeSeal.header)
                ),
                to: request,
                seal: seal
            )
        } catch {
            return .failure(.unreachable)
        }
    }
}
