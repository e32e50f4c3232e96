import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

/// Lists and ends the sessions of all browsers, for the operator.
struct OperatorSessionController: Controller {
    let browsers: BrowserAccess
    let pieces: any PieceStore

    /// A session of a browser, as the operator sees it.
    private struct Session: Encodable {
        let id: String
        let isOperator: Bool
        /// The name of the author who has signed in; `nil` for the operator, and for an author who was removed since.
        let name: String?
        let user: String?
        let began: Date
        let used: Date
        /// The time at which the session ends if it is not used.
        let ends: Date
        let agent: String
        let address: String?
        /// `true` if the request comes from this browser.
        let isCurrent: Bool
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/admin/sessions",
                id: "allSessions",
                summary: "The browsers in which somebody has signed in, the one that was used last first.",
                tag: "Operator",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The sessions.",
                        type: "application/json",
                        schema: Schemas.list("AdminSession")
                    )
                ],
                handler: { try await list($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/admin/sessions/{id}",
                id: "endAnySession",
                summary: "Ends a session: whoever uses the browser has to sign in again.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The session.")],
                responses: [Endpoint.Response(status: 204, summary: "Ended."), .notFound],
                handler: { context in
                    let id = try context.path("id")
                    guard let session = try await browsers.sessions.all(at: context.now).first(where: { $0.id == id })
                    else { throw EarshotError.missing("session", id) }
                    context.note("who", session.isOperator ? Identity.operatorName : "user \(session.user ?? "")")
                    try await browsers.sessions.end(id)
                    return .empty
                }
            ),
        ]
    }

    private func list(_ context: RequestContext) async throws -> Response {
        // The check of the host name is for browsers: for a program with a token, its failure is ignored.
        let own = try? await browsers.session(of: context.request, at: context.now)?.id
        var sessions: [Session] = []
        for session in try await browsers.sessions.all(at: context.now) {
            var name: String?
            if !session.isOperator, let user = session.user { name = try await pieces.author(ofUser: user)?.name.text }
            sessions.append(
                Session(
                    id: session.id,
                    isOperator: session.isOperator,
                    name: name,
                    user: session.user,
                    began: session.began,
                    used: session.used,
                    ends: min(session.used + session.patience, session.began + session.longest),
                    agent: session.agent,
                    address: session.address,
                    isCurrent: session.id == own
                )
            )
        }
        return try .json(sessions)
    }
}
