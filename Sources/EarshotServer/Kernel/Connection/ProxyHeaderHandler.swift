import Logging
import NIOCore

/// Removes the header of the PROXY protocol from the beginning of connections of trusted proxies, which must send one: if it were optional,
/// a client could send a header of its own through the proxy. Other connections are passed on unchanged, so that a header on them is
/// refused as a malformed request.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The inbound event that a proxy has stated the client's address.
    struct SenderIsKnown {
        let address: SocketAddress
    }

    private enum State {
        /// No bytes have arrived yet.
        case idle
        case reading(ByteBuffer)
        case done
        case refused
    }

    private let proxies: TrustedProxies
    private let sender: ConnectionSender
    private let logger: Logger
    private var state = State.idle

    init(_ proxies: TrustedProxies, sender: ConnectionSender, logger: Logger) {
        (self.proxies, self.sender, self.logger) = (proxies, sender, logger)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .idle where !proxies.isTrusted(context.remoteAddress?.ipAddress):
            state = .done
            context.fireChannelRead(data)
        case .idle: read(unwrapInboundIn(data), context)
        case .reading(var buffer):
            var next = unwrapInboundIn(data)
            buffer.writeBuffer(&next)
            read(buffer, context)
        case .done: context.fireChannelRead(data)
        case .refused: break
        }
    }

    private func read(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        do throws(ProxyHeader.Malformed) {
            guard let header = try ProxyHeader(Array(buffer.readableBytesView.prefix(ProxyHeader.largest))) else {
                state = .reading(buffer)
                return
            }
            state = .done
            if let source = header.source, let address = SocketAddress(source) {
                sender.set(address)
                context.fireUserInboundEventTriggered(SenderIsKnown(address: address))
            }
            var rest = buffer
            rest.moveReaderIndex(forwardBy: header.length)
            // `SenderIsKnown` may have closed the channel, if the client has too many connections.
            guard rest.readableBytes > 0, context.channel.isActive else { return }
            context.fireChannelRead(wrapInboundOut(rest))
        } catch {
            state = .refused
            logger.info(
                "A connection of a trusted proxy was closed: \(error.message)",
                metadata: ["client": "\(context.remoteAddress?.ipAddress ?? "?")"]
            )
            context.close(promise: nil)
        }
    }
}

extension SocketAddress {
    fileprivate init?(_ source: ProxyHeader.Source) {
        guard let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: source.address), port: source.port)
        else { return nil }
        self = address
    }
}
