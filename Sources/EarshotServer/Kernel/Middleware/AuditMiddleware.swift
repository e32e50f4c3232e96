import EarshotCore
import Foundation
import Hummingbird
import Logging

/// Adds an entry to the audit log for each request that changed something, and for some that tried to, before it is answered.
struct AuditMiddleware: RouterMiddleware {
    typealias Context = RouterContext

    let log: AuditLog
    let proxies: TrustedProxies
    let now: @Sendable () -> Date
    private let refusals = RefusalLimiter()

    init(log: AuditLog, proxies: TrustedProxies, now: @escaping @Sendable () -> Date) {
        (self.log, self.proxies, self.now) = (log, proxies, now)
    }

    func handle(
        _ request: Request,
        context: RouterContext,
        next: @concurrent (Request, RouterContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let notes = context.notes.content
        guard let operation = notes.operation else { return response }
        let (date, address) = (now(), proxies.sender(context.remoteAddress?.ipAddress, request.headers))
        var target = notes.target
        if response.status.code >= 400, notes.who != Identity.operatorName {
            guard let omitted = refusals.admit(RequestOrigin(address), at: date) else { return response }
            if omitted > 0 { target["omitted"] = "\(omitted)" }
        }
        let entry = AuditEntry(
            date: date,
            who: notes.who,
            what: operation,
            target: target,
            status: response.status.code,
            address: address,
            request: context.requestID
        )
        do throws(EarshotError) {
            let log = log
            try await BlockingWork.run { () throws(EarshotError) in try log.add(entry) }
        } catch {
            // The change is made, so the answer must report it. The log of the service notes that the audit log lacks it.
            context.logger.error("The audit log lacks a change", metadata: ["reason": "\(error.message)"])
        }
        return response
    }
}
