import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection if the header of the next request is not complete in time: a sender of single bytes would never count as idle. Also
/// closes it if the rest of an answered request does not arrive in time, as of a refused upload.
final class HeaderDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let time: TimeAmount
    /// The longest time for the rest of a request that is already answered, so that the sender can read the response.
    private let grace = TimeAmount.seconds(5)
    private var timer: Scheduled<Void>?
    /// `true` if more of a request is expected.
    private var isReading = false
    /// The number of requests whose response is not complete.
    private var unanswered = 0

    init(_ time: TimeAmount) {
        self.time = time
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context, time) }
    }

    func handlerRemoved(context _: ChannelHandlerContext) { timer?.cancel() }

    func channelActive(context: ChannelHandlerContext) {
        start(context, time)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            timer?.cancel()
            isReading = true
            unanswered += 1
        case .body: break
        case .end:
            isReading = false
            if unanswered == 0 { start(context, time) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            // With pipelined requests, others may still be unanswered.
            if unanswered <= 0 { start(context, isReading ? grace : time) }
        }
        context.write(data, promise: promise)
    }

    private func start(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
