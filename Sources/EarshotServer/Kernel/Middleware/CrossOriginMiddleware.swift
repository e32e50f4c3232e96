import HTTPTypes
import Hummingbird

/// Lets web pages of the origins that the operator names use the service, and no others, by the Fetch standard's protocol
/// (CORS). Tokens of such pages are in a header, never in cookies, so credentials are not allowed.
///
/// Hummingbird's own middleware accepts only a list of origins that is known at compile time.
struct CrossOriginMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    private let origins: Set<String>

    /// - Parameter origins: Origins such as `https://app.example`; `*` for all.
    init(_ origins: [String]) {
        self.origins = Set(origins)
    }

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        var response = isPreflight(request) ? Response(status: .noContent) : try await next(request, context)
        for field in headers(for: request) { response.headers[field.name] = field.value }
        return response
    }

    /// Returns the headers that allow the page of a request to use the service; empty if it may not.
    private func headers(for request: Request) -> HTTPFields {
        guard !origins.isEmpty, let origin = request.headers[.origin], origin != "null" else { return [:] }
        let isOpen = origins.contains("*")
        guard isOpen || origins.contains(origin) else { return [.vary: "Origin"] }
        var headers: HTTPFields = [.accessControlAllowOrigin: isOpen ? "*" : origin]
        if !isOpen { headers[.vary] = "Origin" }
        if isPreflight(request) {
            headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
            headers[.accessControlAllowHeaders] =
                "authorization, content-type, content-range, range, if-range, accept, traceparent"
            headers[.accessControlMaxAge] = "600"
        } else {
            headers[.accessControlExposeHeaders] =
                "Retry-After, X-Request-ID, ETag, Repr-Digest, Content-Range, X-Sample-Rate, X-Channels, X-Sample-Format"
        }
        return headers
    }

    /// Returns `true` for a preflight request, by which a browser asks if a page may send a request.
    private func isPreflight(_ request: Request) -> Bool {
        !origins.isEmpty && request.method == .options && request.headers[.origin] != nil
            && request.headers[.accessControlRequestMethod] != nil
    }
}
