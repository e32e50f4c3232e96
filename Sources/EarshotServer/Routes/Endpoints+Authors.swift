import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

extension Endpoints {
    // MARK: - Authors

    static var authors: [Endpoint] {
        let author = Endpoint.Answer(
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
                answers: [author, .failure(404, "The user has none yet.")],
                handler: { call in
                    guard let author = try await call.core.pieces.reader(call.identity).author else {
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
                summary:
                    "Gives the user a name to publish under, or another one, and a password. Published pieces have the name too.",
                tag: "Pieces",
                access: .user,
                body: ["application/json": Schemas.reference("AuthorChange")],
                answers: [
                    author, .failure(403, "The author has another password than currentPassword."),
                    .failure(409, "Somebody else has this name."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { try await setAuthor($0) }
            ),
        ]
    }

    static let nameTaken = EarshotError(.requestInvalid, "Somebody else publishes under this name: choose another.")

    private static func setAuthor(_ call: Call) async throws -> Response {
        let store = call.core.pieces.store
        let change = try await call.document(AuthorChange.self, limit: 4 << 10)
        let name = try AuthorName(change.name)
        guard let user = call.identity.user else { throw missing("user", "me") }
        let known = try await store.author(ofUser: user)
        var digest: Data?
        if let password = change.password {
            digest = try await LoginService(core: call.core)
                .digest(
                    of: password,
                    for: known,
                    current: change.currentPassword,
                    from: RequestOrigin(call.context.remoteAddress?.ipAddress)
                )
        }
        var author = known ?? PieceAuthor(id: PartRules.newName(), name: name, created: call.core.now())
        author.name = name
        author.password = digest ?? author.password
        guard try await store.put(author) else { throw HTTPFailure.conflict(nameTaken) }
        try await store.setAuthor(author.id, ofUser: user)
        return try .json(AuthorRecord(name: author.name.text))
    }
}
