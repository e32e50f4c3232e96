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
        let isOpen = isOpen(endpoint, request)
        let identity = isOpen ? .nobody : try await authenticator.identity(of: request)
        router.notes.begin(endpoint, identity) { router.parameters.get($0) }
        func handle() async throws -> Response {
            try await endpoint.handler(
                RequestContext(request, router, identity: identity, settings: settings, clock: now)
            )
        }
        if isOpen { return try await handle() }
        try AccessControl.check(identity, for: endpoint)
        return try await admission.admit(identity.workOwner, to: endpoint) { try await handle() }
    }

    /// Returns whether no token is looked at.
    private func isOpen(_ endpoint: Endpoint, _ request: Request) -> Bool {
        AccessControl.isOpen(endpoint, settings)
            || endpoint.access == .reader && request.headers[.authorization] == nil
    }
}
