import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import Hummingbird

/// Registers the users of apps.
struct RegistrationController: Controller {
    let accounts: any AccountStore
    let authenticator: Authenticator
    let users: UserRegistry

    var endpoints: [Endpoint] {
        let record = Schemas.reference("RegistrationRecord")
        return [
            Endpoint(
                method: .post,
                path: "/v1/registrations",
                id: "newRegistration",
                summary: """
                    Registers a user of an app. What is told once as serialised is kept by the app, and is all that it needs for \
                    tokens from then on.
                    """,
                tag: "Accounts",
                access: .open,
                body: ["application/json": Schemas.reference("RegistrationRequest")],
                responses: [
                    Endpoint.Response(
                        status: 201,
                        summary: "The registration.",
                        type: "application/json",
                        schema: record
                    ),
                    .failure(401, "The client identifier is not known."),
                    .failure(403, "The client is not entitled to a kind of queries that is asked for."),
                    .failure(409, "The client has registered as many users as it may."),
                    .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { try await newRegistration($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/registrations/self",
                id: "registration",
                summary: "The registration of the token, with how many more its client may make.",
                tag: "Accounts",
                access: .user,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The registration.",
                        type: "application/json",
                        schema: record
                    )
                ],
                handler: { context in
                    guard case .client(let client, let user?) = context.identity else {
                        throw EarshotError.missing("user", "self")
                    }
                    let count = try await accounts.userCount(of: client.id)
                    return try .json(registration(user, nil, client, count))
                }
            ),
        ]
    }

    private func newRegistration(_ context: RequestContext) async throws -> Response {
        let request = try await context.document(RegistrationRequest.self, limit: 8 << 10)
        guard (1...400).contains(request.appVersion.unicodeScalars.count) else {
            throw EarshotError(
                .requestInvalid,
                "appVersion does not have 1 to 400 characters: give the version of the app."
            )
        }
        let client = try await authenticator.client(presenting: try ClientIdentifier(parameter: request.client))
        var modules: Set<Registration.Module>?
        if let wanted = request.modules {
            guard !wanted.isEmpty else {
                throw EarshotError(.requestInvalid, "modules is empty: name one or more, or leave it out.")
            }
            if let module = wanted.first(where: { !client.modules.contains($0) }) {
                throw EarshotError(
                    .accessDenied,
                    "Client \(client.id) is not entitled to \(module.rawValue): ask the operator, or use another client."
                )
            }
            modules = Set(wanted)
        }
        return try await users.registering(context) { () async throws(EarshotError) in
            let (user, serialised, count) = try await users.register(
                of: client,
                modules: modules,
                appVersion: request.appVersion
            )
            return try .json(registration(user, serialised, client, count), .created)
        }
    }

    private func registration(
        _ user: ServiceUser,
        _ serialised: String?,
        _ client: ServiceClient,
        _ count: Int
    ) -> RegistrationRecord {
        RegistrationRecord(
            id: user.id,
            serialised: serialised,
            client: client.id,
            modules: client.modules.intersection(user.modules ?? client.modules).sorted { $0.rawValue < $1.rawValue },
            appVersion: user.appVersion,
            created: user.created,
            registrations: RegistrationRecord.Quota(limit: client.userLimit, used: count)
        )
    }
}
