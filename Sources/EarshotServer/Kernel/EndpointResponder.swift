import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

/// Runs the checks between the router and the handler of an endpoint. In this order they may refuse a request: the token, the rights of the
/// sender, a full work queue, and the number of the sender's running requests.
struct EndpointResponder: Sendable {
    let settings: ServiceSettings
    let authenticator: Authenticator
    let admission: AdmissionControl
    let now: @Sendable () -> Date

    func respond(_ endpoint: Endpoint, to request: Request, _ router: RouterContext) async throws -> Response {
        var isOpen = AccessControl.isOpen(endpoint, settings)
        var (identity, session) = (Identity.nobody, WebSession?.none)
        let isPage = endpoint.access == .page || endpoint.access == .visitor
        if isPage || endpoint.access == .reader && request.headers[.authorization] == nil {
            (identity, session) = try await authenticator.person(at: request)
            if endpoint.access == .visitor, case .nobody = identity {
                identity = try await authenticator.visitor() ?? .nobody
            }
            if case .nobody = identity { isOpen = true }
        } else if !isOpen {
            identity = try await authenticator.identity(of: request)
        }
        router.notes.begin(endpoint, identity) { router.parameters.get($0) }
        let (sender, authenticator, began) = (identity, authenticator, now())
        let context = RequestContext(
            request,
            router,
            identity: identity,
            session: session,
            settings: settings,
            clock: now,
            confirm: { () async throws(EarshotError) in
                try AccessControl.check(
                    try await authenticator.confirmed(sender, of: request, since: began),
                    for: endpoint
                )
            }
        )
        func handle() async throws -> Response { try await endpoint.handler(context) }
        if isOpen { return try await handle() }
        try AccessControl.check(identity, for: endpoint)
        let address = settings.trustedProxies.sender(router.remoteAddress?.ipAddress, request.headers)
        let owner = authenticator.workOwner(identity, from: RequestOrigin(address))
        return try await admission.admit(owner, to: endpoint) { try await handle() }
    }
}
