import NIOCore
import NIOHTTP1

/// Tells the ``ConnectionSender`` when the sender of a request has left before it was answered.
///
/// A connection that is closed on the other side looks like one on which the other side only sends nothing more, until something is sent
/// to it: a system refuses what comes for a connection that is closed. Whoever has ended its side and waits is therefore sent `100 Continue` now and
/// then, which clients of HTTP/1.1 skip (RFC 9110, 15.2). To those of HTTP/1.0 it must not be sent: they have left when they send nothing more.
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
    ///   - pause: The time after which a sender that has ended its side is looked for; most answers are there before.
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

    /// Looks for a sender that has ended its side, from now on until it is answered.
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
        // Of one that has left the system tells that the connection is closed.
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        pause = pause * 2
        watch(context)
    }
}
