import EarshotBroadcast
import EarshotCore
import EarshotStations
import Foundation
import HTTPTypes

/// Lists the webhooks with their last deliveries, and requests that the monitor sends to them again, for the operator.
struct WebhookController: Controller {
    let access: StationAccess

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/webhooks",
                id: "webhooks",
                summary: "The receivers of changes of the log, with the last deliveries to each, the newest first.",
                tag: "Stations",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The receivers.",
                        type: "application/json",
                        schema: Schemas.reference("WebhookList")
                    ), .notFound,
                ],
                handler: { context in
                    let sources = try access.stations().sources
                    let positions = try await sources.store.consumers()
                    let last = try await sources.store.counts().lastSequence
                    let receivers = try Self.receivers(sources).map { webhook in
                        Receiver(webhook, behind: positions[webhook.name].map { max(0, last - $0) })
                    }
                    return try .json(["webhooks": receivers])
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/webhooks/{name}/retry",
                id: "retryWebhook",
                summary: "Has what waits sent to a receiver at once, also to one that wanted no more.",
                tag: "Stations",
                access: .admin,
                parameters: [.id("The receiver.", name: "name")],
                responses: [
                    Endpoint.Response(
                        status: 204,
                        summary: "The monitor sends within seconds, or when it is started."
                    ), .notFound,
                ],
                handler: { context in
                    let (name, sources) = (try context.path("name"), try access.stations().sources)
                    guard try Self.receivers(sources).contains(where: { $0.name == name }) else {
                        throw EarshotError.missing("webhook", name)
                    }
                    let folder = sources.folder
                    try await BlockingWork.run { () throws(EarshotError) in try folder.requestRetry(of: name) }
                    return .empty
                }
            ),
        ]
    }

    /// Returns the webhooks of the monitor, or those of the settings if it was never started with any.
    private static func receivers(_ sources: StationSources) throws(EarshotError) -> [WebhookStatus] {
        let told = try sources.folder.webhooks()
        return told.isEmpty ? sources.webhooks : told
    }

    private struct Receiver: Encodable, Sendable {
        let name: String
        let address: String
        let events: [String]
        let channels: [String]
        let state: String
        let failures: Int
        let retryAt: Date?
        /// The number of changes that the webhook was not sent yet; `nil` if it was never sent any.
        let behind: Int?
        let deliveries: [WebhookStatus.Delivery]

        init(_ status: WebhookStatus, behind: Int?) {
            (name, address, events, channels) = (status.name, status.address, status.events, status.channels)
            (state, failures, retryAt) = (status.state.rawValue, status.failures, status.retryAt)
            (self.behind, deliveries) = (behind, status.deliveries)
        }
    }
}
