import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird

/// Delays refusals to senders with too many of them. Otherwise a client that repeats a request as soon as it is refused would keep the
/// service busy with refusals.
struct FailurePaceMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    /// The time for which a response is held back.
    private static let pause = Duration.milliseconds(250)
    /// The statuses that count as refusals. 404 is not among them: asking for something that does not exist is no fault.
    private static let refusals: Set<Int> = [400, 401, 403, 405, 409, 413, 415, 429, 503]

    private let proxies: TrustedProxies
    private let metrics: MetricRegistry
    /// Counts refusals; `nil` for no limit.
    private let pace: RateLimiter?

    /// - Parameters:
    ///   - limit: The number of refusals a second that one sender gets without delay; 0 for any number.
    ///   - proxies: The proxies whose headers about the origin of a request are trusted.
    ///   - metrics: Counts the delayed responses.
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
