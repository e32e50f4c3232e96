import NIOCore

/// The way of bytes to the parser of HTTP, which can be closed: what comes then is dropped.
///
/// Behind a request for another protocol the parser reads nothing, but keeps all that comes.
final class InboundGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isClosed = false

    /// Drops what comes from now on.
    func close() { isClosed = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isClosed { context.fireChannelRead(data) }
    }
}
