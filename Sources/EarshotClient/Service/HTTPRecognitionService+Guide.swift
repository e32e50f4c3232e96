import EarshotAPI
public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation
import NIOHTTP1

/// Requests to the broadcast guide of a service: works, programs, channels and airings.
extension HTTPRecognitionService: GuideSource {
    /// The most airings of one answer, and the longest span that is asked for at once, in seconds.
    private static let airingLimit = 1_000
    private static let longestSpan: TimeInterval = 31 * 86_400
    /// The most channels of one request.
    private static let channelLimit = 10

    /// Fetches a work (a film, an episode or an advertisement); `nil` if the service does not know it.
    ///
    /// - Parameters:
    ///   - id: The identifier of the work.
    ///   - links: `true` to include identifiers in other catalogs.
    public func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork? {
        try await one(WorkList.self, "works", id.rawValue, links)?.works.first
    }

    /// Fetches a program; `nil` if the service does not know it.
    ///
    /// - Parameters:
    ///   - id: The identifier of the program.
    ///   - links: `true` to include identifiers in other catalogs.
    public func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program? {
        try await one(ProgramList.self, "programs", id.rawValue, links)?.programs.first
    }

    /// Fetches a channel; `nil` if the service does not know it.
    ///
    /// - Parameters:
    ///   - id: The identifier of the channel.
    ///   - links: `true` to include identifiers in other catalogs.
    public func channel(
        _ id: EntityID<BroadcastChannel>,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        try await one(ChannelList.self, "channels", id.rawValue, links)?.channels.first
    }

    /// Fetches the channel with an external identifier; `nil` if the service does not know it.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - tag: The tag of the channel; an empty one matches every channel.
    ///   - source: The origin of the identifier.
    ///   - links: `true` to include identifiers in other catalogs.
    public func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        guard !identifier.isEmpty else { return nil }
        let parameters = [("identifier", identifier), ("tag", tag), ("source", source.rawValue)] + Self.links(links)
        let call = HTTPCall(.GET, path: "channels", parameters: parameters)
        return try value(ChannelList.self, try await authorized(call)).channels.first
    }

    /// Fetches all channels of the guide, ordered by identifier.
    public func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel] {
        let call = HTTPCall(.GET, path: "channels", parameters: Self.links(links))
        return try value(ChannelList.self, try await authorized(call)).channels
    }

    /// Fetches the airings in an interval, including those that began before it, ordered by start. A long interval
    /// takes several requests.
    ///
    /// - Parameters:
    ///   - channels: The channels; `nil` for all.
    ///   - start: The begin of the interval.
    ///   - end: The end of the interval, exclusive.
    ///   - limit: The largest number of airings.
    /// - Throws: `requestInvalid` if too many airings overlap for one response; the errors of a request.
    public func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing] {
        guard let channels, channels.count > Self.channelLimit || channels.isEmpty else {
            return try await some(channels, start, end, limit)
        }
        var airings: [Airing] = []
        for first in stride(from: 0, to: channels.count, by: Self.channelLimit) {
            let group = Array(channels[first..<min(channels.count, first + Self.channelLimit)])
            airings += try await some(group, start, end, limit)
        }
        return Array(airings.sorted { ($0.start, $0.channel.id) < ($1.start, $1.channel.id) }.prefix(limit))
    }

    /// The airings of all channels, or of as many as a request takes.
    private func some(
        _ channels: [EntityID<BroadcastChannel>]?,
        _ start: Date,
        _ end: Date,
        _ limit: Int
    ) async throws(EarshotError) -> [Airing] {
        var airings: [Airing] = []
        var known: Set<Place> = []
        var begin = start
        while begin < end, airings.count < limit {
            let stop = min(end, begin.addingTimeInterval(Self.longestSpan))
            let page = try await page(channels, begin, stop)
            // What goes on over the begin of a part was told with the part before it.
            airings += page.filter { known.insert(Place(channel: $0.channel.id, start: $0.start)).inserted }
            if airings.count >= limit { break }
            guard page.count == Self.airingLimit, let last = page.last?.start else {
                begin = stop
                continue
            }
            guard last > begin else {
                throw EarshotError(
                    .requestInvalid,
                    "\(Self.airingLimit) airings or more are on at the same time: ask for fewer channels at a time."
                )
            }
            begin = last
        }
        return Array(airings.prefix(limit))
    }

    /// Fetches the airing on a channel at an instant; `nil` if the guide has none.
    public func airing(
        on channel: EntityID<BroadcastChannel>,
        at date: Date
    ) async throws(EarshotError) -> Airing? {
        try await airings(on: [channel], from: date, to: date.addingTimeInterval(0.002), limit: Self.airingLimit)
            .last { $0.start <= date && $0.end > date }
    }

    private struct Place: Hashable {
        let channel: EntityID<BroadcastChannel>
        let start: Date
    }

    private func page(
        _ channels: [EntityID<BroadcastChannel>]?,
        _ start: Date,
        _ end: Date
    ) async throws(EarshotError) -> [Airing] {
        let parameters =
            (channels ?? []).map { ("channel", $0.rawValue) } + [
                ("from", ServiceAPI.text(of: start)), ("to", ServiceAPI.text(of: end)),
                ("limit", String(Self.airingLimit)),
            ]
        let call = HTTPCall(.GET, path: "airings", parameters: parameters)
        return try value(AiringList.self, try await authorized(call)).airings
    }

    private static func links(_ links: Bool) -> [(String, String)] { links ? [("links", "1")] : [] }

    private func one<Value: Decodable>(
        _ type: Value.Type,
        _ kind: String,
        _ id: String,
        _ links: Bool
    ) async throws(EarshotError) -> Value? {
        guard !id.isEmpty else { return nil }
        let call = HTTPCall(.GET, path: "\(kind)/\(HTTPCall.escaped(id))", parameters: Self.links(links))
        do {
            return try value(type, try await authorized(call))
        } catch {
            if error.code == .entityNotFound { return nil }
            throw error
        }
    }
}
