import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

extension Endpoints {
    // MARK: - Apps that open pieces

    static var applications: [Endpoint] {
        let identifier = Endpoint.Parameter.id("The app.", name: "identifier")
        return [
            Endpoint(
                method: .get,
                path: "/v1/applications",
                id: "applications",
                summary: "The apps that open pieces.",
                tag: "Pieces",
                access: .reader,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The apps.",
                        type: "application/json",
                        schema: Schemas.list("ApplicationRecord")
                    )
                ],
                handler: { call in
                    var isOperator = false
                    if case .admin = call.identity { isOperator = true }
                    let applications = try await call.core.pieces.store.applications()
                    return try .json(applications.map { ApplicationRecord($0, withClient: isOperator) })
                }
            ),
            Endpoint(
                method: .put,
                path: "/v1/applications/{identifier}",
                id: "putApplication",
                summary: "Registers an app, or changes what is known of it. Its client is made before.",
                tag: "Operator",
                access: .admin,
                parameters: [identifier],
                body: ["application/json": Schemas.reference("ApplicationRecord")],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The app.",
                        type: "application/json",
                        schema: Schemas.reference("ApplicationRecord")
                    ),
                    .failure(404, "There is no such client."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { call in
                    let record = try await call.document(ApplicationRecord.self, limit: 16 << 10)
                    let register = ApplicationRegister(call.core.pieces.store, call.core.accounts)
                    let application = try await register.put(
                        try call.path("identifier"),
                        name: record.name,
                        site: record.site,
                        client: record.client
                    )
                    return try .json(ApplicationRecord(application, withClient: true))
                }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/applications/{identifier}",
                id: "removeApplication",
                summary: "Forgets an app. Its client stays.",
                tag: "Operator",
                access: .admin,
                parameters: [identifier],
                answers: [Endpoint.Answer(status: 204, summary: "Forgotten."), .notFound],
                handler: { call in
                    let id = try call.path("identifier").lowercased()
                    guard try await call.core.pieces.store.removeApplication(id) else {
                        throw missing("application", id)
                    }
                    return .empty
                }
            ),
        ]
    }
}

extension ApplicationRecord {
    init(_ application: PieceApplication, withClient: Bool) {
        self.init(
            identifier: application.id,
            name: application.name,
            site: application.site,
            client: withClient ? application.client : nil
        )
    }
}
