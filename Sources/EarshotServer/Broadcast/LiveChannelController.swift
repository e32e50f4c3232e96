import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotStations
import Foundation
import HTTPTypes

/// Lists the channels that are fed to the service, for the operator.
struct LiveChannelController: Controller {
    let live: LiveChannels
    let guide: any GuideStore

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/live-channels",
                id: "liveChannels",
                summary: "The channels that are fed to the service, and until when each is known.",
                tag: "Broadcasts",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The channels, in order of their ids.",
                        type: "application/json",
                        schema: Schemas.reference("LiveChannelList")
                    )
                ],
                handler: { context in
                    var channels: [Channel] = []
                    for channel in live.index.channels {
                        channels.append(
                            Channel(
                                id: channel.id.rawValue,
                                name: try await guide.channel(channel.id, links: false)?.name.text,
                                end: channel.end,
                                now: try await guide.airing(on: channel.id, at: context.now).map { StationAiring($0) }
                            )
                        )
                    }
                    let hours = live.index.options.retention.seconds / 3_600
                    return try .json(List(date: context.now, hours: hours, channels: channels))
                }
            )
        ]
    }

    private struct Channel: Encodable {
        let id: String
        /// The name by the guide; `nil` if the guide does not know the channel.
        let name: String?
        /// The end of the last audio that was received.
        let end: Date
        /// The present program by the guide; `nil` if there is none.
        let now: StationAiring?
    }

    private struct List: Encodable {
        let date: Date
        /// The hours that are kept of each channel.
        let hours: Double
        let channels: [Channel]
    }
}
