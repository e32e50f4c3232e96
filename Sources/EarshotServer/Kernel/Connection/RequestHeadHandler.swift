import NIOCore
import NIOHTTP1

/// Enforces ``RequestHeadRules`` for the requests of a connection, and tells senders who wait for it to send the body.
///
/// A refused request goes on as an error of the parser, so that it is answered after those that came before it; what comes behind it is
/// dropped.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The outbound event that the body of the request that is answered now is read.
    struct BodyIsRead: Sendable {}

    private var isRefused = false
    /// Whether the sender waits to be told to send the body, for each request whose answer is not complete.
    private var waiting: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let refusal = RequestHeadRules.refusal(of: head) {
                isRefused = true
                context.fireUserInboundEventTriggered(refusal)
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            waiting.append(RequestHeadRules.expectsContinue(head))
            if !head.isKeepAlive {
                // The server above knows this spelling only, and no version.
                head.headers.replaceOrAdd(name: "connection", value: "close")
                return context.fireChannelRead(wrapInboundOut(.head(head)))
            }
        case .body, .end:
            // It did not wait.
            if !waiting.isEmpty { waiting[waiting.count - 1] = false }
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Of a request that is refused already the parser may complain, too.
        if !isRefused { context.fireErrorCaught(error) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyIsRead else { return context.triggerUserOutboundEvent(event, promise: promise) }
        guard waiting.first == true else {
            promise?.succeed()
            return
        }
        waiting[0] = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // Whoever waited and is refused may send the body or not: what comes next cannot be known.
            guard waiting.first == true else { break }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            if !waiting.isEmpty { waiting.removeFirst() }
        }
        context.write(data, promise: promise)
    }
}
