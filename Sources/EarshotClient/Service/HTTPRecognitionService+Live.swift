import AsyncHTTPClient
public import EarshotAPI
public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation
import NIOCore
import NIOHTTP1

extension HTTPRecognitionService {
    /// Sends the live feed of a channel on one connection until the feed ends. The client needs the right `channels`. A
    /// channel belongs to the client that feeds it first.
    ///
    /// A lost connection is not reopened: data in flight is lost with it. The caller can send the feed again; chunks
    /// that arrive twice do no harm.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - feed: The bytes of the feed, as `LiveFeedWriter` makes them.
    /// - Returns: The outcome of the chunks, once the feed has ended.
    /// - Throws: `requestInvalid` if the data is not a feed of the channel, `accessDenied`, and the errors of a
    ///   request.
    public func feed<Feed: AsyncSequence & Sendable>(
        _ channel: EntityID<BroadcastChannel>,
        _ feed: Feed
    ) async throws(EarshotError) -> LiveFeedRecord where Feed.Element == Data {
        let token = try await token()
        var request = HTTPClientRequest(url: address("channels/\(HTTPCall.escaped(channel.rawValue))/live"))
        request.method = .PUT
        request.headers.add(name: "authorization", value: "Bearer \(token)")
        request.headers.add(name: "content-type", value: ServiceAPI.liveFeedType)
        request.headers.add(name: "user-agent", value: "earshot")
        request.headers.add(name: "traceparent", value: Self.traceParent())
        request.body = .stream(feed.map { ByteBuffer(bytes: $0) }, length: .unknown)
        let answer: HTTPAnswer
        do {
            let response = try await connections.client.execute(request, deadline: .distantFuture)
            let body = try await response.body.collect(upTo: 1 << 16)
            answer = HTTPAnswer(
                status: Int(response.status.code),
                type: "",
                retryAfter: nil,
                body: Data(body.readableBytesView)
            )
        } catch {
            throw failure(error)
        }
        // The next feed is not to bring the same token.
        if answer.status == 401 { _ = try await self.token(refused: token) }
        guard answer.status == 200 else { throw failure(answer) }
        return try value(LiveFeedRecord.self, answer.body)
    }
}
