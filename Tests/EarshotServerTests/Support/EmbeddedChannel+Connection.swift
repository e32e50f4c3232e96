import NIOCore
import NIOEmbedded

extension EmbeddedChannel {
    /// An open connection from an address.
    static func connection(from address: String, _ handlers: [any ChannelHandler]) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let remote = try SocketAddress(ipAddress: address, port: 4_711)
        channel.remoteAddress = remote
        for handler in handlers { try channel.pipeline.syncOperations.addHandler(handler) }
        channel.connect(to: remote, promise: nil)
        channel.embeddedEventLoop.run()
        return channel
    }

    /// Ends the connection.
    func end() {
        close(promise: nil)
        embeddedEventLoop.run()
    }
}
