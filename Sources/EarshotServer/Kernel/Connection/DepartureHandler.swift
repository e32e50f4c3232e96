import NIOCore
import NIOHTTP1

/// Tells the ``ConnectionSender`` that the sender of a request has left before the answer.
///
/// A connection that the other side has closed looks like one on which it only sends nothing more, until something is sent there: then the
/// other system refuses it. A sender that has ended its side is therefore sent `100 Continue` now and then, which clients of HTTP/1.1 skip
/// (RFC 9110, 15.2). Clients of HTTP/1.0 do not know it: they count as having left when they end their side.
final class DepartureHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let sender: ConnectionSender
    /// The versions of the requests whose answers are not complete.
    private var unanswered: [HTTPVersion] = []
    /// `true` if the response to the first request has begun.
    private var isAnswering = false
    /// `true` if the sender has closed its side.
    private var isEnded = false
    /// The time until the sender is checked again. It doubles, so that checks are few, and work continues for at most
    /// about twice as long as the sender was connected.
    private var pause: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - sender: The sender of the connection.
    ///   - pause: The time from when a sender has ended its side until it is first checked. Most requests are answered before.
    init(_ sender: ConnectionSender, pause: TimeAmount = .milliseconds(500)) {
        (self.sender, self.pause) = (sender, pause)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { unanswered.append(head.version) }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            isEnded = true
            watch(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var isComplete = false
        switch unwrapOutboundIn(data) {
        case .head:
            isAnswering = true
            timer?.cancel()
        case .body: break
        case .end:
            isAnswering = false
            isComplete = true
            if !unanswered.isEmpty { unanswered.removeFirst() }
        }
        context.write(data, promise: promise)
        if isComplete { watch(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context _: ChannelHandlerContext) { leave() }

    private func leave() {
        timer?.cancel()
        sender.leave()
    }

    /// Begins to check a sender that has ended its side, until its request is answered.
    private func watch(_ context: ChannelHandlerContext) {
        guard isEnded, !isAnswering, let version = unanswered.first else { return }
        guard version.minor >= 1 else { return sender.leave() }
        timer?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: pause) {
            let (handler, context) = bound.value
            handler.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        // If the sender has left, the system answers this by closing the connection.
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        pause = pause * 2
        watch(context)
    }
}
