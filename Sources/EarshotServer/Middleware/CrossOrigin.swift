import HTTPTypes
import Hummingbird

/// Lets web pages of the origins that the operator names use the service, and no others, by the Fetch standard's protocol
/// (CORS). Tokens travel in a header of their own, never in cookies, so credentials are not allowed for.
///
/// Hummingbird's own middleware takes a list of origins that is known when the program is compiled only.
struct CrossOrigin: Sendable {
    private let origins: Set<String>

    /// - Parameter origins: As `https://app.example`; `*` for all.
    init(_ origins: [String]) {
        self.origins = Set(origins)
    }

    /// What a page's browser is told, when it may use the service.
    func headers(for request: Request) -> HTTPFields {
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

    /// Whether a browser asks beforehand whether a page may make a request.
    func isPreflight(_ request: Request) -> Bool {
        !origins.isEmpty && request.method == .options && request.headers[.origin] != nil
            && request.headers[.accessControlRequestMethod] != nil
    }
}
