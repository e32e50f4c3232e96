import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird

/// Answers those who ask for too much that is refused a moment later: whoever sends the next request when the last one was answered would
/// otherwise keep the service busy with refusals.
struct FailurePaceMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    /// The time for which a response is held back.
    private static let pause = Duration.milliseconds(250)
    /// The refusals that count. What is not there is no fault of whoever asks.
    private static let refusals: Set<Int> = [400, 401, 403, 405, 409, 413, 415, 429, 503]

    private let proxies: TrustedProxies
    private let metrics: MetricRegistry
    /// `nil` for no limit.
    private let pace: RateLimiter?

    /// - Parameters:
    ///   - limit: The refusals in a second that one sender gets at once; 0 for any number.
    ///   - proxies: The proxies whose word counts for where a request comes from.
    ///   - metrics: Counts the answers that are held back.
    init(limit: Int, proxies: TrustedProxies, metrics: MetricRegistry) {
        (self.proxies, self.metrics) = (proxies, metrics)
        pace = limit > 0 ? RateLimiter(limit: limit) : nil
    }

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard let pace, Self.refusals.contains(response.status.code) else { return response }
        let sender =
            context.notes.content.sender
            ?? RequestOrigin(proxies.sender(context.remoteAddress?.ipAddress, request.headers)).name
        if !pace.admits(sender, at: Date()) {
            metrics.makeCounter(label: "earshot_refusals_held", dimensions: []).increment(by: 1)
            try? await Task.sleep(for: Self.pause)
        }
        return response
    }
}
