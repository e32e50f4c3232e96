import CoreMetrics
import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import Instrumentation
import Logging
import NIOHTTP1
import ServiceContextModule

/// Tells every failure in the service's form, writes the log and counts: what stands around every request.
struct RequestFrame: RouterMiddleware {
    typealias Context = ServiceRequestContext

    let core: ServiceCore
    let crossOrigin: CrossOrigin

    func handle(
        _ request: Request,
        context: ServiceRequestContext,
        next: @concurrent (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        var service = ServiceContext.current ?? .topLevel
        TraceContextInstrument().extract(request.headers, into: &service, using: HeaderExtractor())
        InstrumentationSystem.instrument.extract(request.headers, into: &service, using: HeaderExtractor())
        var context = context
        if let trace = service.trace { context.logger[metadataKey: "trace"] = "\(trace.traceID)" }
        let settled = context
        var response =
            crossOrigin.isPreflight(request)
            ? Response(status: .noContent)
            : await ServiceContext.withValue(service) { await answer(request, settled, next) }
        for field in crossOrigin.headers(for: request) { response.headers[field.name] = field.value }
        // A failure has a body, which nobody expects behind HEAD.
        if request.method == .head { response = response.createHeadResponse() }
        let seconds = (ContinuousClock.now - begin).seconds
        note(request, settled, response.status.code, seconds)
        return response
    }

    private func answer(
        _ request: Request,
        _ context: ServiceRequestContext,
        _ next: @concurrent (Request, ServiceRequestContext) async throws -> Response
    ) async -> Response {
        let failure: EarshotError
        do {
            return finish(try await next(request, context), context)
        } catch let told as HTTPFailure {
            return finish(
                .failure(
                    told.error,
                    requestID: context.requestID,
                    now: core.now(),
                    status: told.status,
                    violations: told.violations
                ),
                context
            )
        } catch let error as EarshotError {
            failure = error
        } catch let error as HTTPError where error.status == .notFound {
            if let methods = Self.methods(of: request.uri.path) {
                return finish(wrongMethod(methods, context), context)
            }
            failure = EarshotError(
                .entityNotFound,
                "There is nothing at this path: /v1/openapi.json describes what there is."
            )
        } catch let error as any HTTPResponseError where (400..<500).contains(error.status.code) {
            failure =
                error.status == .contentTooLarge
                ? EarshotError(.uploadTooLarge, "The request is too large.")
                : EarshotError(.requestInvalid, "The request cannot be understood.")
        } catch is HTTPParserError {
            failure = EarshotError(.requestInvalid, "The request is not HTTP as it should be.")
        } catch is CancellationError {
            failure = EarshotError(.cancelled, "The request was given up.")
        } catch {
            failure = EarshotError(.internalError, "\(error)")
        }
        if failure.code.status.code >= 500, failure.code != .cancelled {
            context.logger.error(
                "A request failed",
                metadata: [
                    "code": "\(failure.code.rawValue)", "reason": "\(failure)", "path": "\(request.uri.path)",
                ]
            )
        }
        return finish(.failure(failure, requestID: context.requestID, now: core.now()), context)
    }

    private func wrongMethod(_ methods: String, _ context: ServiceRequestContext) -> Response {
        let failure = EarshotError(.requestInvalid, "This path takes \(methods).")
        var response = Response.failure(failure, requestID: context.requestID, now: core.now())
        response.status = .methodNotAllowed
        response.headers[.allow] = methods
        return response
    }

    /// The methods of a path that there is.
    private static func methods(of path: String) -> String? {
        let parts = path.split(separator: "/")
        let methods = Endpoints.all.filter { endpoint in
            let pattern = endpoint.path.split(separator: "/")
            return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map(\.method.rawValue)
        return methods.isEmpty ? nil : methods.sorted().joined(separator: ", ")
    }

    /// Adds what every answer carries.
    private func finish(_ response: Response, _ context: ServiceRequestContext) -> Response {
        var response = response
        response.headers[Self.requestID] = context.requestID
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[Self.referrerPolicy] = "no-referrer"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentPolicy
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if core.settings.certificateFile != nil { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    /// What a browser may do with an answer, where nothing else is said.
    private static let contentPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"

    private static let requestID = HTTPField.Name("X-Request-ID") ?? .from
    private static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .from

    private func note(_ request: Request, _ context: ServiceRequestContext, _ status: Int, _ seconds: Double) {
        // The pattern of the path, never the path itself: a label with an id in it would make a series of its own.
        let path = context.endpointPath ?? "none"
        let method = request.method.rawValue
        let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(method) ? method : "other"
        core.metrics.makeCounter(
            label: "http_requests",
            dimensions: [("path", path), ("method", known), ("status", String(status))]
        ).increment(by: 1)
        core.metrics.makeTimer(label: "http_request_duration", dimensions: [("path", path), ("method", known)])
            .recordNanoseconds(Int64(seconds * 1e9))
        context.logger.info(
            "\(known) \(path) \(status)",
            metadata: [
                "method": "\(known)", "path": "\(path)", "status": "\(status)",
                "ms": "\((seconds * 10_000).rounded() / 10)",
                "client": "\(context.remoteAddress?.ipAddress ?? "?")",
            ]
        )
    }
}

/// Reads header fields for distributed tracing.
private struct HeaderExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { carrier[$0] }
    }
}
