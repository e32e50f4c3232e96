import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Adds the usual body of failures to the response to malformed requests, which the server below writes without one, before any route. A
/// preceding ``RequestRefusal`` gives it another status and reason.
final class MalformedRequestResponder: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var refusal = RequestRefusal(
        status: .badRequest,
        message:
            "The request is not HTTP/1.1 as it should be, or its header is too large: check the request line and the header."
    )

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let refusal = event as? RequestRefusal {
            self.refusal = refusal
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentLength] == "0", head.headerFields[.connection] == "close",
            let body = try? ServiceAPI.encoder().encode(Failure(EarshotError(.requestInvalid, refusal.message)))
        else { return context.write(data, promise: promise) }
        head.status = refusal.status
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.contentLength] = String(body.count)
        head.headerFields[.xContentTypeOptions] = "nosniff"
        head.headerFields[.cacheControl] = "no-store"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(context.channel.allocator.buffer(bytes: body))), promise: promise)
    }
}
