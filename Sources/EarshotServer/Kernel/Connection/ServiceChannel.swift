import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// The handlers of a connection: Hummingbird's for HTTP/1.1, and the service's own between and below them.
struct ServiceChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let requests: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        let sender: ConnectionSender
        var channel: any Channel { requests.channel }
    }

    let http: HTTP1Channel
    let shares: ConnectionShares
    let proxies: TrustedProxies
    /// The certificate for TLS; `nil` for none.
    let certificate: ServerCertificate?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let sender = ConnectionSender()
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if proxies.useProxyProtocol {
                try pipeline.addHandler(ProxyHeaderHandler(proxies, sender: sender, logger: logger))
            }
            try pipeline.addHandler(shares.handler())
            if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
        }.flatMap {
            http.setup(channel: channel, logger: logger)
        }.flatMapThrowing { requests in
            // Directly above the parser: the version of a request and a second `Host` are lost further up.
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let gate = InboundGate()
            try pipeline.addHandler(gate, position: .before(parser))
            let heads = RequestHeadHandler(gate)
            try pipeline.addHandler(heads, position: .after(parser))
            // Above `RequestHeadHandler`, which drops requests that are never answered.
            try pipeline.addHandler(DepartureHandler(sender), position: .after(heads))
            return Value(requests: requests, sender: sender)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await ConnectionSender.$current.withValue(value.sender) {
            await http.handle(value: value.requests, logger: logger)
        }
    }
}
