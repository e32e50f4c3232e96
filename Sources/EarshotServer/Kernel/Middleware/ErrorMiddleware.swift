import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Turns errors into responses in the service's form, and logs those that are the service's fault.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    /// The endpoints whose methods are listed when a path is requested with another method.
    let endpoints: [Endpoint]
    /// Removes the paths of the service's folders from messages.
    let folders: ConcealedFolders
    let now: @Sendable () -> Date
    /// Returns a page that explains a failure, for requests of browsers; `nil` for other requests.
    let page: @Sendable (Request, RouterContext, EarshotError) async -> Response?

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let failure: EarshotError
        do {
            return try await next(request, context)
        } catch let failure as HTTPFailure {
            return await answer(request, context, failure)
        } catch let error as HTTPError where error.status == .notFound {
            if let methods = methods(of: request.uri.path) { return wrongMethod(methods, context) }
            failure = EarshotError(
                .entityNotFound,
                "There is no endpoint at this path: see /v1/openapi.json for the endpoints."
            )
        } catch {
            failure = Self.failure(error)
        }
        if failure.code.status.code >= 500, failure.code != .cancelled {
            context.logger.error(
                "A request failed",
                metadata: [
                    "code": "\(failure.code.rawValue)", "reason": "\(failure)", "path": "\(request.uri.path)",
                ]
            )
        }
        return await answer(request, context, HTTPFailure(failure))
    }

    private func answer(_ request: Request, _ context: RouterContext, _ failure: HTTPFailure) async -> Response {
        let answer = Response.failure(
            folders.concealed(failure.error),
            requestID: context.requestID,
            now: now(),
            status: failure.status,
            violations: failure.violations
        )
        guard var page = await page(request, context, failure.error) else { return answer }
        page.status = answer.status
        page.headers[.retryAfter] = answer.headers[.retryAfter]
        return page
    }

    private static func failure(_ error: any Error) -> EarshotError {
        switch error {
        case let error as EarshotError: error
        case let error as any HTTPResponseError where (400..<500).contains(error.status.code):
            error.status == .contentTooLarge
                ? EarshotError(.uploadTooLarge, "The request is too large: send less at once.")
                : EarshotError(.requestInvalid, "The request cannot be understood: compare it with /v1/openapi.json.")
        case is HTTPParserError: EarshotError(.requestInvalid, "The request is malformed HTTP: check the client.")
        case is CancellationError: EarshotError(.cancelled, "The request was canceled.")
        default: EarshotError(.internalError, "\(error)")
        }
    }

    private func wrongMethod(_ methods: String, _ context: RouterContext) -> Response {
        let failure = EarshotError(.requestInvalid, "The method of the request is not allowed here: use \(methods).")
        var response = Response.failure(failure, requestID: context.requestID, now: now())
        response.status = .methodNotAllowed
        response.headers[.allow] = methods
        return response
    }

    /// Returns the methods of a path; `nil` if there is no such path.
    private func methods(of path: String) -> String? {
        let methods = endpoints.filter { $0.matches(path) }.map(\.method.rawValue)
        return methods.isEmpty ? nil : methods.sorted().joined(separator: ", ")
    }
}
