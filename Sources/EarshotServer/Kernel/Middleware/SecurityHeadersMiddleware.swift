import HTTPTypes
import Hummingbird

/// Adds the id of the request and the security headers for browsers to every response.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    /// `true` if the service is reached over TLS: browsers are then told to use nothing else.
    let isSecure: Bool

    /// The content security policy of responses that have none of their own.
    private static let contentPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"

    private static let requestID = HTTPField.Name("X-Request-ID") ?? .from
    private static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .from

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[Self.requestID] = context.requestID
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[Self.referrerPolicy] = "no-referrer"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentPolicy
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }
}
