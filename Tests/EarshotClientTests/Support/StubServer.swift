import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// A server on the loopback interface whose answers a test writes. The system chooses the port.
final class StubServer: Sendable {
    struct Request: Sendable {
        let method: String
        /// The path without the query.
        let path: String
        let query: [String: String]
        let headers: [String: String]
        let body: Data
    }

    struct Response: Sendable {
        var status = 200
        var headers: [(String, String)] = [("content-type", "application/json")]
        var body = Data()
        /// Ends the connection instead of answering.
        var isCut = false
        /// Ends the connection behind so many bytes of the body.
        var cutLength: Int?
        /// Whether the connection then stays, and nothing more comes.
        var stalls = false
    }

    typealias Handler = @Sendable (Request) async -> Response

    private let channel: any Channel
    private let log: Log
    /// The address of the server.
    let url: URL

    final class Log: Sendable {
        let requests = Mutex<[Request]>([])
    }

    /// Begins to listen.
    init(_ handler: @escaping Handler) async throws {
        let log = Log()
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(StubHandler(log, handler))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        url = try #require(URL(string: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"))
    }

    /// What was asked so far.
    var requests: [Request] { log.requests.withLock { $0 } }
    /// The paths of what was asked so far.
    var paths: [String] { requests.map(\.path) }

    /// Gives a server to a body and ends it afterwards.
    @discardableResult
    static func with<Result>(
        _ handler: @escaping Handler,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (StubServer) async throws -> Result
    ) async throws -> Result {
        let server = try await StubServer(handler)
        do {
            let result = try await body(server)
            try? await server.channel.close()
            return result
        } catch {
            try? await server.channel.close()
            throw error
        }
    }
}

/// Collects a request, has it answered, writes the answer.
private final class StubHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: StubServer.Log
    private let handler: StubServer.Handler
    private var head: HTTPRequestHead?
    private var body = Data()

    init(_ log: StubServer.Log, _ handler: @escaping StubServer.Handler) {
        self.log = log
        self.handler = handler
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, Data())
        case .body(let part): body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head else { return }
            let parts = URLComponents(string: head.uri)
            let request = StubServer.Request(
                method: head.method.rawValue,
                path: parts?.path ?? head.uri,
                query: Dictionary((parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 },
                headers: Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
                body: body
            )
            log.requests.withLock { $0.append(request) }
            let (channel, handler, version) = (context.channel, handler, head.version)
            Task {
                let response = await handler(request)
                guard !response.isCut else { return try await channel.close() }
                var headers = HTTPHeaders(response.headers)
                headers.replaceOrAdd(name: "content-length", value: String(response.body.count))
                let answer = HTTPResponseHead(
                    version: version,
                    status: HTTPResponseStatus(statusCode: response.status),
                    headers: headers
                )
                channel.write(HTTPServerResponsePart.head(answer), promise: nil)
                let sent = response.cutLength.map { Data(response.body.prefix($0)) } ?? response.body
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: sent))), promise: nil)
                if response.cutLength != nil {
                    channel.flush()
                    return response.stalls ? () : try await channel.close()
                }
                try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
            }
        }
    }
}
