import EarshotAPI
import EarshotCore
import EarshotPieces
import EarshotRecognition
import Foundation
import Hummingbird

/// Lists and registers the apps that open pieces.
struct ApplicationController: Controller {
    let store: any PieceStore
    let accounts: any AccountStore

    var endpoints: [Endpoint] {
        let identifier = Endpoint.Parameter.id("The app.", name: "identifier")
        return [
            Endpoint(
                method: .get,
                path: "/v1/applications",
                id: "applications",
                summary: "The apps that open pieces.",
                tag: "Pieces",
                access: .reader,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The apps.",
                        type: "application/json",
                        schema: Schemas.list("ApplicationRecord")
                    )
                ],
                handler: { context in
                    var isOperator = false
                    if case .admin = context.identity { isOperator = true }
                    let applications = try await store.applications()
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
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The app.",
                        type: "application/json",
                        schema: Schemas.reference("ApplicationRecord")
                    ),
                    .failure(404, "There is no such client."), .failure(413, "The body is too large."),
                    .failure(415, "The body is not JSON."),
                ],
                handler: { context in
                    let record = try await context.document(ApplicationRecord.self, limit: 16 << 10)
                    let register = ApplicationRegister(store, accounts)
                    let application = try await register.put(
                        try context.path("identifier"),
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
                responses: [Endpoint.Response(status: 204, summary: "Forgotten."), .notFound],
                handler: { context in
                    let id = try context.path("identifier").lowercased()
                    guard try await store.removeApplication(id) else {
                        throw EarshotError.missing("application", id)
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
