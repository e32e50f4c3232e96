import CoreMetrics
import Hummingbird

/// Counts and times requests.
struct MetricsMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    let metrics: MetricRegistry

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        let response = try await next(request, context)
        let seconds = (ContinuousClock.now - begin).seconds
        let (path, method) = (context.endpointLabel, request.method.label)
        metrics.makeCounter(
            label: "http_requests",
            dimensions: [("path", path), ("method", method), ("status", String(response.status.code))]
        ).increment(by: 1)
        metrics.makeTimer(label: "http_request_duration", dimensions: [("path", path), ("method", method)])
            .recordNanoseconds(Int64(seconds * 1e9))
        return response
    }
}
