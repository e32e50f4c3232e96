import Logging
import NIOCore

/// Takes the header of the PROXY protocol from the beginning of connections of trusted proxies. They have to send one: where it may be
/// left out, a visitor's own bytes could be taken for it. Those of others go on untouched, so that their header is no request.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The inbound event that a proxy told for whom it asks.
    struct SenderIsKnown {
        let address: SocketAddress
    }

    private enum State {
        /// Nothing has come yet.
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
            // The sender may have too many connections.
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
