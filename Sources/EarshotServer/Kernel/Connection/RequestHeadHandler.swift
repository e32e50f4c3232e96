import NIOCore
import NIOHTTP1

/// Enforces ``RequestHeadRules`` for the requests of a connection, and sends `100 Continue` to senders that wait for it.
///
/// A refused request is passed on as an error of the parser, so that it is answered after earlier requests. Bytes behind it, or behind the
/// last request of the connection, are dropped.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The outbound event that a handler has begun to read the body of the request.
    struct BodyIsRead: Sendable {}

    /// A request whose answer is not complete.
    private struct Request {
        /// `true` if the sender waits for permission to send the body.
        var isWaiting: Bool
        /// `true` if the connection ends with the request.
        let isLast: Bool
    }

    private let gate: InboundGate
    private var unanswered: [Request] = []
    /// `true` if the last request has begun.
    private var isLast = false
    /// `true` if nothing more is read: a request was refused, or the last one is complete.
    private var isOver = false

    /// - Parameter gate: The way to the parser.
    init(_ gate: InboundGate) {
        self.gate = gate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let refusal = RequestHeadRules.refusal(of: head) {
                end()
                context.fireUserInboundEventTriggered(refusal)
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            // The parser reads nothing behind a request for another protocol. It is answered as if it did not ask for one.
            isLast = !head.isKeepAlive || RequestHeadRules.asksForAnotherProtocol(head)
            unanswered.append(Request(isWaiting: RequestHeadRules.expectsContinue(head), isLast: isLast))
            if isLast {
                // The server above recognizes only this spelling, and does not look at the version.
                head.headers.replaceOrAdd(name: "connection", value: "close")
                return context.fireChannelRead(wrapInboundOut(.head(head)))
            }
        case .body: didNotWait()
        case .end:
            didNotWait()
            if isLast { end() }
        }
        context.fireChannelRead(data)
    }

    private func didNotWait() {
        if !unanswered.isEmpty { unanswered[unanswered.count - 1].isWaiting = false }
    }

    private func end() {
        isOver = true
        gate.close()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The parser may also report errors in bytes that are dropped.
        if !isOver || !(error is HTTPParserError) { context.fireErrorCaught(error) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyIsRead else { return context.triggerUserOutboundEvent(event, promise: promise) }
        guard unanswered.first?.isWaiting == true else {
            promise?.succeed()
            return
        }
        unanswered[0].isWaiting = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // An informational response (1xx) is not the answer.
            guard head.status.code >= 200 else { break }
            // A sender that waited for `100 Continue` and is refused may send the body or not, so the next bytes are ambiguous: the
            // connection must end.
            guard let request = unanswered.first, request.isWaiting || request.isLast else { break }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            if !unanswered.isEmpty { unanswered.removeFirst() }
        }
        context.write(data, promise: promise)
    }
}
