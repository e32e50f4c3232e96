import HTTPTypes
import Hummingbird
import NIOCore

/// Tells whoever waits for `100 Continue` to send the body, once it is read and not before: what is refused is not sent at all.
struct ContinueMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect] != nil else { return try await next(request, context) }
        var request = request
        request.body = RequestBody(asyncSequence: AwaitedBody(body: request.body, channel: context.channel))
        return try await next(request, context)
    }
}

/// A body that its sender is asked for when the first part of it is read.
private struct AwaitedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let channel: any Channel

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        var channel: (any Channel)?

        @concurrent mutating func next() async throws -> ByteBuffer? {
            channel?.triggerUserOutboundEvent(RequestHeadHandler.BodyIsRead(), promise: nil)
            channel = nil
            return try await body.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), channel: channel) }
}
