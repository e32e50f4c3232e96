import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Gives the answer to what is not HTTP the body that every other failure has: the server below writes it with none, before any
/// route is asked.
final class MalformedRequestResponder: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentLength] == "0", let body = Self.body
        else { return context.write(data, promise: promise) }
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.contentLength] = String(body.count)
        head.headerFields[.xContentTypeOptions] = "nosniff"
        head.headerFields[.cacheControl] = "no-store"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(context.channel.allocator.buffer(bytes: body))), promise: promise)
    }

    private static let body =
        (try? ServiceAPI.encoder().encode(
            Failure(
                EarshotError(
                    .requestInvalid,
                    "The request is not HTTP/1.1 as it should be, or its header is too large: check the request line and the header."
                )
            )
        )).map { Array($0) }
}
