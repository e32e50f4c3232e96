import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

/// Reads and changes the name under which a user publishes, and removes authors.
struct AuthorController: Controller {
    let pieces: PieceService
    let login: LoginService
    let logins: LoginRegister
    /// The sessions of browsers; `nil` for a service without pages.
    let browsers: BrowserAccess?

    private var store: any PieceStore { pieces.store }

    var endpoints: [Endpoint] {
        let told = Endpoint.Response(
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
                responses: [told, .failure(404, "The user has none yet.")],
                handler: { try .json(AuthorRecord(name: try await author($0).name.text)) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/author",
                id: "setAuthor",
                summary: """
                    Gives the user a name to publish under, or another one, and a password. Published pieces have the name too. Another \
                    password ends the author's log-ins elsewhere, and signs out in other browsers.
                    """,
                tag: "Pieces",
                access: .user,
                body: ["application/json": Schemas.reference("AuthorChange")],
                isAudited: true,
                responses: [
                    told, .failure(403, "The author has another password than currentPassword."),
                    .failure(409, "Somebody else has this name."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { try await setAuthor($0) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/author",
                id: "removeAuthor",
                summary: """
                    Removes the author that the user publishes as: all pieces with their files, the password, and that this and other \
                    users publish as it, whose log-ins end. Identifiers of published pieces stay for those that are based on them.
                    """,
                tag: "Pieces",
                access: .user,
                isAudited: true,
                responses: [removed, .failure(404, "The user has none.")],
                handler: { context in try await remove(try await author(context), context) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/admin/authors/{name}",
                id: "removeNamedAuthor",
                summary: "Removes an author as DELETE /v1/author does.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The author's name, in any letter case.", name: "name")],
                responses: [removed, .notFound],
                handler: { context in
                    let name = try context.path("name")
                    guard let author = try await store.author(named: AuthorName.key(of: name)) else {
                        throw EarshotError.missing("author", name)
                    }
                    return try await remove(author, context)
                }
            ),
        ]
    }

    private var removed: Endpoint.Response { Endpoint.Response(status: 204, summary: "Removed.") }

    /// Returns the author as whom the user of a request publishes.
    private func author(_ context: RequestContext) async throws(EarshotError) -> PieceAuthor {
        guard let user = context.identity.user, let author = try await store.author(ofUser: user) else {
            throw EarshotError(
                .entityNotFound,
                "This user has no name to publish under: give one with PUT /v1/author."
            )
        }
        return author
    }

    /// Removes an author, and ends all logins except that of the sender.
    private func remove(_ author: PieceAuthor, _ context: RequestContext) async throws(EarshotError) -> Response {
        context.note("name", author.name.text)
        // First the logins: without the author, the users cannot be found any more.
        try await logins.end(of: author.id, except: context.identity.user, at: context.now)
        guard try await pieces.removeAuthor(author.id) else { throw EarshotError.missing("author", author.name.text) }
        return .empty
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
        if let known {
            try await replace(known, name, digest)
            if digest == nil, name == known.name { context.noteNoChange() }
        } else {
            let author = PieceAuthor(id: Secrets.name(), name: name, password: digest, created: context.now)
            guard try await store.put(author) else { throw HTTPFailure.conflict(LoginService.nameTaken) }
            try await store.setAuthor(author.id, ofUser: user)
        }
        if let known, digest != nil {
            try await logins.end(of: known.id, except: user, at: context.now)
            if let browsers {
                let isToken = context.request.headers[.authorization] != nil
                let current = isToken ? nil : try await browsers.session(of: context.request, at: context.now)
                try await browsers.endSessions(of: user, except: current, at: context.now)
            }
        }
        return try .json(AuthorRecord(name: name.text))
    }

    /// Changes the name of an author, and the password unless the digest is `nil`.
    private func replace(_ known: PieceAuthor, _ name: AuthorName, _ digest: Data?) async throws {
        let changed = try await store.updateAuthor(known.id) { author throws(EarshotError) in
            author.name = name
            guard let digest else { return }
            // Another request may have replaced the password since it was compared.
            guard author.password == known.password else { throw LoginService.otherPassword }
            author.password = digest
        }
        guard changed != nil else { throw HTTPFailure.conflict(LoginService.nameTaken) }
    }
}
