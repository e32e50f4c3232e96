import NIOCore
import NIOHTTP1

/// Enforces ``RequestHeadRules`` for the requests of a connection, and tells senders who wait for it to send the body.
///
/// A refused request goes on as an error of the parser, so that it is answered after those that came before it; what comes behind it is
/// dropped, and what comes behind the last request of a connection.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The outbound event that the body of the request that is answered now is read.
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
            // The parser reads nothing behind a request for another protocol, which is answered as if it did not ask.
            isLast = !head.isKeepAlive || RequestHeadRules.asksForAnotherProtocol(head)
            unanswered.append(Request(isWaiting: RequestHeadRules.expectsContinue(head), isLast: isLast))
            if isLast {
                // The server above knows this spelling only, and no version.
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
        // Of what is not read the parser may complain, too.
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
            // What only says that the answer is to come ends nothing.
            guard head.status.code >= 200 else { break }
            // Whoever waited and is refused may send the body or not: what comes next cannot be known.
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
