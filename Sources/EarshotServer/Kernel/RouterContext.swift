import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The router's state of one request.
struct RouterContext: Hummingbird.RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the connection, or the one that a proxy stated by the PROXY protocol.
    let remoteAddress: SocketAddress?
    /// The other side of the connection; `nil` if the connection has no ``ServiceChannel``.
    let sender: ConnectionSender?
    /// The connection that the request came by.
    let channel: any Channel
    /// The id of the request in the log and in responses. Hummingbird's own id is in the logger only, and lost if a log handler keeps no
    /// metadata.
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
