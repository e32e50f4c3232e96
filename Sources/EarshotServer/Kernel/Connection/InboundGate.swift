import NIOCore

/// A handler before the HTTP parser that, once closed, drops all further bytes.
///
/// Behind a request for another protocol, the parser reads nothing but buffers all bytes, without a limit.
final class InboundGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isClosed = false

    /// Drops all bytes from now on.
    func close() { isClosed = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isClosed { context.fireChannelRead(data) }
    }
}
