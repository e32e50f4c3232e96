import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The router's state of one request.
struct RouterContext: Hummingbird.RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the connection, or the one that a proxy told when it opened it.
    let remoteAddress: SocketAddress?
    /// The other side of the connection; `nil` for one that is not the service's own.
    let sender: ConnectionSender?
    /// The connection that the request came by.
    let channel: any Channel
    /// The name of the request in the log and in responses. Hummingbird keeps a name of its own in the logger, which is lost
    /// if a log handler keeps no metadata.
    let requestID: String
    /// The notes on the request for the audit log.
    let notes = AuditNotes()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        sender = ConnectionSender.current
        remoteAddress = sender?.address ?? source.channel.remoteAddress
        channel = source.channel
        requestID = Secrets.text(16, from: Array("0123456789abcdef"))
        logger[metadataKey: "request"] = "\(requestID)"
    }
}
