import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The handlers of a connection: Hummingbird's for HTTP/1.1, and the service's own between and below them.
struct ServiceChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let http: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Above the parser and nothing else: the version of a request and its second Host are lost further up.
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestHeadHandler(), position: .after(parser))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
