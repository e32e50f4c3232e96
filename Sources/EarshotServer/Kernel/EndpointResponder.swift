import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

/// Runs the steps between the router and the handler of an endpoint, in the order in which they may refuse a request:
/// the token, the rights of the sender, a full work queue, and the requests that the sender has under way.
struct EndpointResponder: Sendable {
    let settings: ServiceSettings
    let authenticator: Authenticator
    let admission: AdmissionControl
    let now: @Sendable () -> Date

    func respond(_ endpoint: Endpoint, to request: Request, _ router: RouterContext) async throws -> Response {
        func handle(as identity: Identity) async throws -> Response {
            try await endpoint.handler(
                RequestContext(request, router, identity: identity, settings: settings, clock: now)
            )
        }
        guard !AccessControl.isOpen(endpoint, settings) else { return try await handle(as: .nobody) }
        if endpoint.access == .reader, request.headers[.authorization] == nil { return try await handle(as: .nobody) }
        let identity = try await authenticator.identity(of: request)
        try AccessControl.check(identity, for: endpoint)
        return try await admission.admit(identity.workOwner, to: endpoint) { try await handle(as: identity) }
    }
}
