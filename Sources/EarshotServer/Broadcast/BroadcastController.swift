import EarshotAPI
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotStations
import Foundation
import Hummingbird
import NIOCore

/// Recognizes broadcasts and takes live feeds of channels.
struct BroadcastController: Controller {
    let runner: RecognitionRunner
    let services: RecognitionServiceFactory
    let live: LiveChannels
    let shutdown: ShutdownFlag
    let owners: ResourceOwners
    /// The time between two checks that the sender of a feed still has the right, in seconds.
    private static let confirmationInterval = 2.0

    init(
        runner: RecognitionRunner,
        services: RecognitionServiceFactory,
        live: LiveChannels,
        shutdown: ShutdownFlag,
        owners: ResourceOwners
    ) {
        (self.runner, self.services, self.live) = (runner, services, live)
        (self.shutdown, self.owners) = (shutdown, owners)
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .post,
                path: "/v1/broadcasts/recognitions",
                id: "recogniseBroadcast",
                summary: """
                    Says what is on: a work of the archive, an airing of a channel, or music, from the first of these places \
                    where something is found, in the order that the operator gave the client. The body is as for \
                    /v1/recognitions; a signature is enough.
                    """,
                tag: "Broadcasts",
                access: .client,
                module: .monitoring,
                parameters: [
                    Endpoint.Parameter(
                        name: "kind",
                        schema: ["type": "string", "enum": ["stream", "file"], "default": "stream"],
                        summary: "stream: the recording begins anywhere; file: at the begin of what it is."
                    ),
                    Endpoint.Parameter(
                        name: "live",
                        schema: Schemas.flag,
                        summary: "1: answer as soon as enough has arrived, though more is on its way."
                    ), .moreEvidence,
                ] + Schemas.preferences(withSingle: true),
                body: Upload.body,
                isQueued: true,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "Where something was found, and what; without a match the list is empty.",
                        type: "application/json",
                        schema: Schemas.reference("BroadcastAnswer")
                    )
                ] + Endpoint.Response.uploadFailures,
                handler: { context in
                    let coverage = SearchCoverage()
                    let service = services.service(for: context, coverage)
                    var (answer, _) = try await runner.recognize(context) { query, preferences throws(EarshotError) in
                        try await service.recognizeBroadcast(query, preferences)
                    }
                    answer.searched = coverage.searched
                    runner.count(answer.matches.isEmpty, "broadcast")
                    return try .json(answer)
                }
            ),
            Endpoint(
                method: .put,
                path: "/v1/channels/{id}/live",
                id: "feedChannel",
                summary: """
                    Takes the live feed of a channel as it is sent: its pieces are found from the next recognition on. The same \
                    piece may be sent any number of times.
                    """,
                tag: "Broadcasts",
                access: .right(.channels),
                parameters: [.id("The channel.")],
                body: [ServiceAPI.liveFeedType: ["type": "string", "format": "binary"]],
                isWriting: true,
                extent: .feed,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "What became of the pieces, once the feed has ended.",
                        type: "application/json",
                        schema: Schemas.reference("LiveFeedRecord")
                    )
                ],
                handler: { context in
                    let channel = EntityID<BroadcastChannel>(try context.path("id"))
                    return try .json(try await feed(channel, context))
                }
            ),
        ]
    }

    /// Receives a feed for as long as it is sent. If it pauses for too long, the connection is closed.
    private func feed(
        _ channel: EntityID<BroadcastChannel>,
        _ context: RequestContext
    ) async throws -> LiveFeedRecord {
        let (resource, client) = (OwnedResource(.channel, channel.rawValue), context.identity.owner)
        try await owners.check(resource, for: client)
        // A channel belongs to the client that fed it first, even while the last hours contain nothing of it.
        var isNew = !live.index.channels.contains { $0.id == channel }
        var intake = LiveChannels.Intake(channel: channel, live: live)
        var confirmed = context.now
        for try await part in context.request.body {
            guard !shutdown.isRaised else {
                throw EarshotError(.storeUnavailable, "The service is about to end: send the feed again.")
            }
            let now = context.now
            if abs(now.timeIntervalSince(confirmed)) >= Self.confirmationInterval {
                try await context.confirm()
                confirmed = now
            }
            try await intake.take(part.readableBytesView, now: now)
            if isNew, intake.hasTaken {
                try await owners.claim(resource, for: client)
                isNew = false
            }
        }
        return try intake.finish()
    }
}
