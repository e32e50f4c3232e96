import HTTPTypes
import Hummingbird
import Logging

/// Writes a line of the log for each request.
struct AccessLogMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    let proxies: TrustedProxies

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        let response = try await next(request, context)
        let seconds = (ContinuousClock.now - begin).seconds
        let (path, method, status) = (context.endpointLabel, request.method.label, response.status.code)
        context.logger.info(
            "\(method) \(path) \(status)",
            metadata: [
                "method": "\(method)", "path": "\(path)", "status": "\(status)",
                "ms": "\((seconds * 10_000).rounded() / 10)",
                "client": "\(proxies.sender(context.remoteAddress?.ipAddress, request.headers) ?? "?")",
            ]
        )
        return response
    }
}

extension RouterContext {
    /// The pattern of the path, such as `/v1/tracks/{id}`: with the path itself, each identifier would make a series of its own.
    var endpointLabel: String { endpointPath ?? "none" }
}

extension HTTPRequest.Method {
    /// The method as a label: unknown methods, of which a client can send any number, are `other`.
    var label: String {
        ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(rawValue) ? rawValue : "other"
    }
}
