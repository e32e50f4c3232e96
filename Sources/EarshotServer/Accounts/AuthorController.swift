import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

/// Reads and changes the name under which a user publishes.
struct AuthorController: Controller {
    let store: any PieceStore
    let login: LoginService
    let logins: LoginRegister

    var endpoints: [Endpoint] {
        let author = Endpoint.Response(
            status: 200,
            summary: "The author.",
            type: "application/json",
            schema: Schemas.reference("AuthorRecord")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/author",
                id: "author",
                summary: "The author that the user publishes as.",
                tag: "Pieces",
                access: .user,
                responses: [author, .failure(404, "The user has none yet.")],
                handler: { context in
                    guard let user = context.identity.user, let author = try await store.author(ofUser: user) else {
                        throw EarshotError(
                            .entityNotFound,
                            "This user has no name to publish under: give one with PUT /v1/author."
                        )
                    }
                    return try .json(AuthorRecord(name: author.name.text))
                }
            ),
            Endpoint(
                method: .put,
                path: "/v1/author",
                id: "setAuthor",
                summary: """
                    Gives the user a name to publish under, or another one, and a password. Published pieces have the name too. Another \
                    password ends the author's log-ins elsewhere.
                    """,
                tag: "Pieces",
                access: .user,
                body: ["application/json": Schemas.reference("AuthorChange")],
                isAudited: true,
                responses: [
                    author, .failure(403, "The author has another password than currentPassword."),
                    .failure(409, "Somebody else has this name."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { try await setAuthor($0) }
            ),
        ]
    }

    private func setAuthor(_ context: RequestContext) async throws -> Response {
        let change = try await context.document(AuthorChange.self, limit: 4 << 10)
        let name = try AuthorName(change.name)
        context.note("name", name.text)
        if change.password != nil { context.note("password", "changed") }
        guard let user = context.identity.user else { throw EarshotError.missing("user", "me") }
        let known = try await store.author(ofUser: user)
        var digest: Data?
        if let password = change.password {
            digest = try await login.digest(
                of: password,
                for: known,
                current: change.currentPassword,
                from: RequestOrigin(context.address)
            )
        }
        var author = known ?? PieceAuthor(id: Secrets.name(), name: name, created: context.now)
        author.name = name
        author.password = digest ?? author.password
        guard try await store.put(author) else { throw HTTPFailure.conflict(LoginService.nameTaken) }
        try await store.setAuthor(author.id, ofUser: user)
        if digest != nil { try await logins.end(of: author.id, except: user, at: context.now) }
        return try .json(AuthorRecord(name: author.name.text))
    }
}
