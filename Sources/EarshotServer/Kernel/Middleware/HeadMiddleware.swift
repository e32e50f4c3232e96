import HTTPTypes
import Hummingbird

/// Removes the body of a response to HEAD, also that of a failure.
struct HeadMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
