import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What belongs to one request.
struct ServiceRequestContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// Names the request in the log and in answers. Hummingbird keeps a name of its own in the logger, which is gone where
    /// a handler of the log keeps no metadata.
    let requestID: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
        requestID = Secrets.text(16, from: Array("0123456789abcdef"))
        logger[metadataKey: "request"] = "\(requestID)"
    }
}
