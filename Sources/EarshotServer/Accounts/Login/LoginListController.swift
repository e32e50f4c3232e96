import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import Hummingbird

/// Lists and ends the logins of an author.
struct LoginListController: Controller {
    let store: any PieceStore
    let accounts: any AccountStore
    let logins: LoginRegister

    var endpoints: [Endpoint] {
        let noAuthor = Endpoint.Response.failure(404, "The user publishes as nobody.")
        let ended = Endpoint.Response(status: 204, summary: "Ended.")
        return [
            Endpoint(
                method: .get,
                path: "/v1/author/logins",
                id: "logins",
                summary: "The apps in which the user's author is logged in, the newest log-in first.",
                tag: "Log-in",
                access: .user,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The log-ins.",
                        type: "application/json",
                        schema: Schemas.list("LoginRecord")
                    ),
                    noAuthor,
                ],
                handler: { context in
                    var records: [LoginRecord] = []
                    for user in try await logins.users(of: try await author(context).id) {
                        records.append(
                            LoginRecord(
                                id: user.id,
                                client: user.client,
                                name: try await accounts.client(user.client)?.name ?? "",
                                began: user.created,
                                isCurrent: user.id == context.identity.user
                            )
                        )
                    }
                    return try .json(records)
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/author/logins",
                id: "endLogins",
                summary: "Ends all log-ins of the user's author but this one.",
                tag: "Log-in",
                access: .user,
                isAudited: true,
                responses: [ended, noAuthor],
                handler: { context in
                    let author = try await author(context)
                    let count = try await logins.end(
                        of: author.id,
                        except: context.identity.user,
                        at: context.now
                    )
                    if count == 0 { context.noteNoChange() }
                    return .empty
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/author/logins/{id}",
                id: "endLogin",
                summary: "Ends a log-in of the user's author: its tokens and its secret are worth nothing from now on.",
                tag: "Log-in",
                access: .user,
                parameters: [.id("The log-in.")],
                isAudited: true,
                responses: [ended, .failure(404, "The user publishes as nobody, or there is no such log-in.")],
                handler: { context in
                    let id = try context.path("id")
                    let users = try await logins.users(of: try await author(context).id)
                    guard users.contains(where: { $0.id == id }) else { throw EarshotError.missing("log-in", id) }
                    try await logins.end(id, at: context.now)
                    return .empty
                }
            ),
        ]
    }

    private func author(_ context: RequestContext) async throws(EarshotError) -> PieceAuthor {
        guard let user = context.identity.user, let author = try await store.author(ofUser: user) else {
            throw EarshotError(
                .entityNotFound,
                "This user has no name to publish under: give one with PUT /v1/author, or log in."
            )
        }
        return author
    }
}
