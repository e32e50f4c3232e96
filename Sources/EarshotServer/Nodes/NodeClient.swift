import AsyncHTTPClient
import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import NIOCore
import NIOHTTP1

/// Asks other nodes for parts of a search over HTTP.
final class NodeClient: Sendable {
    /// The number of connections to a node that are kept open for later requests.
    private static let connections = 64
    /// The time after which an unused connection is closed: before the other node does so, which could lose a request.
    private static let idleTime = TimeAmount.seconds(15)
    /// The time beyond the patience of the request after which it times out, in milliseconds: later than the search, which cancels it.
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
        // `Gather` asks another node long before a second attempt could succeed.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    /// Asks a node. If the task is canceled, the request ends, and the node stops working on it.
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
