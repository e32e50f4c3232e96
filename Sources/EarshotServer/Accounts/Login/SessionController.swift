import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Lists and ends the browsers in which a person has signed in.
struct SessionController: Controller {
    let browsers: BrowserAccess

    var endpoints: [Endpoint] {
        let ended = Endpoint.Response(status: 204, summary: "Ended.")
        return [
            Endpoint(
                method: .get,
                path: "/v1/sessions",
                id: "sessions",
                summary: """
                    The browsers in which the user has signed in, the one that was used last first; for the operator those in which the \
                    operator has.
                    """,
                tag: "Log-in",
                access: .client,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The sessions.",
                        type: "application/json",
                        schema: Schemas.list("SessionRecord")
                    ), .failure(403, "The request is no user's."),
                ],
                handler: { context in
                    let current = try await current(context)
                    let records = try await sessions(context).map { session in
                        SessionRecord(
                            id: session.id,
                            began: session.began,
                            used: session.used,
                            agent: session.agent,
                            address: session.address,
                            isOperator: session.isOperator,
                            isCurrent: session.id == current?.id
                        )
                    }
                    return try .json(records)
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/sessions",
                id: "endSessions",
                summary: "Signs out in all browsers but the one that sends the request.",
                tag: "Log-in",
                access: .client,
                isAudited: true,
                responses: [ended, .failure(403, "The request is no user's.")],
                handler: { context in
                    let current = try await current(context)
                    let others = try await sessions(context).filter { $0.id != current?.id }
                    for session in others { try await browsers.sessions.end(session.id) }
                    if others.isEmpty { context.noteNoChange() }
                    return .empty
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/sessions/{id}",
                id: "endSession",
                summary: "Signs out in a browser.",
                tag: "Log-in",
                access: .client,
                parameters: [.id("The session.")],
                isAudited: true,
                responses: [ended, .failure(403, "The request is no user's."), .notFound],
                handler: { context in
                    let id = try context.path("id")
                    guard try await sessions(context).contains(where: { $0.id == id }) else {
                        throw EarshotError.missing("session", id)
                    }
                    try await browsers.sessions.end(id)
                    return .empty
                }
            ),
        ]
    }

    /// Returns the session of the browser that sends a request; `nil` for a request with a token.
    private func current(_ context: RequestContext) async throws(EarshotError) -> WebSession? {
        guard context.request.headers[.authorization] == nil else { return nil }
        return try await browsers.session(of: context.request, at: context.now)
    }

    /// Returns the valid sessions of the sender of a request.
    ///
    /// - Throws: `accessDenied` for a client without a user.
    private func sessions(_ context: RequestContext) async throws(EarshotError) -> [WebSession] {
        let all = try await browsers.sessions.all(at: context.now)
        switch context.identity {
        case .admin:
            let token = try await browsers.accounts.value(Authenticator.adminName)
            return all.filter { $0.isOperator && $0.operatorToken == token }
        case .client(_, let user?):
            // Sessions from before the user's tokens were revoked are no longer valid.
            let first = user.tokensEnded ?? .distantPast
            return all.filter { !$0.isOperator && $0.user == user.id && $0.began >= first }
        case .client, .nobody:
            throw EarshotError(.accessDenied, "This request needs a signed-in user: sign in first.")
        }
    }
}
