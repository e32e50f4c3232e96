import HTTPTypes
import Hummingbird
import Instrumentation
import Logging
import ServiceContextModule

/// Reads the sender's trace from the headers of a request, for log lines and for requests that it causes.
struct TraceMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        var service = ServiceContext.current ?? .topLevel
        TraceContextInstrument().extract(request.headers, into: &service, using: HeaderExtractor())
        InstrumentationSystem.instrument.extract(request.headers, into: &service, using: HeaderExtractor())
        var context = context
        if let trace = service.trace { context.logger[metadataKey: "trace"] = "\(trace.traceID)" }
        let traced = context
        return try await ServiceContext.withValue(service) { try await next(request, traced) }
    }
}

/// Reads header fields for distributed tracing.
private struct HeaderExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { carrier[$0] }
    }
}
