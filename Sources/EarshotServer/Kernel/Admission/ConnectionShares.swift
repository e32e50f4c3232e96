import NIOCore
import Synchronization

/// Counts the open connections of each address, and closes those beyond its share, so that idle connections of one address cannot use up
/// all that the service accepts.
final class ConnectionShares: Sendable {
    private let limit: Int
    private let proxies: TrustedProxies
    private let open = Mutex<[String: Int]>([:])
    /// The number of all connections, trusted or not.
    private let count: ConnectionCount

    /// - Parameters:
    ///   - limit: The most connections of one address.
    ///   - proxies: Addresses of proxies, whose connections are not limited.
    ///   - count: Counts all connections.
    init(limit: Int, proxies: TrustedProxies, count: ConnectionCount = ConnectionCount()) {
        self.limit = limit
        self.proxies = proxies
        self.count = count
    }

    /// Creates shares of a quarter of all connections, and at least 16.
    ///
    /// - Parameters:
    ///   - connections: The most connections that the service accepts.
    ///   - proxies: Addresses of proxies, whose connections are not limited.
    ///   - count: Counts all connections.
    convenience init(
        of connections: Int,
        proxies: TrustedProxies,
        count: ConnectionCount = ConnectionCount()
    ) {
        self.init(limit: max(16, connections / 4), proxies: proxies, count: count)
    }

    /// Creates the handler that watches one connection.
    func handler() -> Handler { Handler(self) }

    fileprivate func enter(_ name: String) -> Bool {
        open.withLock { open in
            guard open[name, default: 0] < limit else { return false }
            open[name, default: 0] += 1
            return true
        }
    }

    fileprivate func leave(_ name: String) {
        open.withLock { open in
            let left = open[name, default: 1] - 1
            open[name] = left > 0 ? left : nil
        }
    }

    /// Counts its connection, and closes it if its address has too many.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let shares: ConnectionShares
        private var name: String?
        private var isCounted = false

        fileprivate init(_ shares: ConnectionShares) { self.shares = shares }

        func handlerAdded(context: ChannelHandlerContext) {
            if context.channel.isActive { enter(context, context.remoteAddress) }
        }

        func channelActive(context: ChannelHandlerContext) {
            enter(context, context.remoteAddress)
            context.fireChannelActive()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let told = event as? ProxyHeaderHandler.SenderIsKnown { enter(context, told.address) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            leave()
            context.fireChannelInactive()
        }

        func handlerRemoved(context _: ChannelHandlerContext) { leave() }

        private func enter(_ context: ChannelHandlerContext, _ address: SocketAddress?) {
            if !isCounted {
                isCounted = true
                shares.count.add(1)
            }
            let origin = RequestOrigin(address?.ipAddress)
            guard name == nil, !origin.isLoopback, !shares.proxies.isTrusted(address?.ipAddress) else { return }
            guard shares.enter(origin.name) else { return context.close(promise: nil) }
            name = origin.name
        }

        private func leave() {
            if let name { shares.leave(name) }
            name = nil
            if isCounted { shares.count.add(-1) }
            isCounted = false
        }
    }
}
