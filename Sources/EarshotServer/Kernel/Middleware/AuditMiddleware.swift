import EarshotCore
import Foundation
import Hummingbird
import Logging

/// Adds an entry to the audit log for each request that changed something, or tried to, before it is answered.
struct AuditMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    let log: AuditLog
    let proxies: TrustedProxies
    let now: @Sendable () -> Date

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let notes = context.notes.content
        guard let operation = notes.operation else { return response }
        let entry = AuditEntry(
            date: now(),
            who: notes.who,
            what: operation,
            target: notes.target,
            status: response.status.code,
            address: proxies.sender(context.remoteAddress?.ipAddress, request.headers),
            request: context.requestID
        )
        do throws(EarshotError) {
            let log = log
            try await BlockingWork.run { () throws(EarshotError) in try log.add(entry) }
        } catch {
            // What was done is done: the answer tells of it, and the log of the service that nothing vouches for it.
            context.logger.error("The audit log lacks a change", metadata: ["reason": "\(error.message)"])
        }
        return response
    }
}
