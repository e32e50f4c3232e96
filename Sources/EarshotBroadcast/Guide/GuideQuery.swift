public import EarshotCore
public import EarshotMusic
public import Foundation

/// Queries for further details of a recognized work, program or channel.
///
/// ```swift
/// var query = GuideQuery(service, cache: cache)
/// query.linkData = true
/// let work = try await query.work(match.work?.id ?? "")
/// ```
///
/// The cache is searched before the source is queried. Airings change, and are never cached.
public struct GuideQuery: Sendable {
    /// `true` to request identifiers in other catalogs. Default: `false`.
    public var linkData = false

    private let source: any GuideSource
    private let cache: (any MetadataCache)?
    private let scope: String

    /// Creates queries to a source.
    ///
    /// - Parameters:
    ///   - source: A store on the device, or a service.
    ///   - scope: A name for the source in a cache that several sources share, such as the address of a service.
    ///   - cache: The cache of answers; `nil` to ask the source every time.
    public init(_ source: any GuideSource, scope: String = "", cache: (any MetadataCache)? = nil) {
        self.source = source
        self.scope = scope
        self.cache = cache
    }

    /// Returns a work with all its details; `nil` if it is not known.
    ///
    /// - Throws: The errors of the source.
    public func work(_ id: EntityID<VideoWork>) async throws(EarshotError) -> VideoWork? {
        try await answer("work", [id.rawValue]) { () async throws(EarshotError) in
            try await source.work(id, links: linkData)
        }
    }

    /// Returns the complete work for the part that a match has. A work without further details is returned unchanged.
    ///
    /// - Throws: The errors of the source.
    public func work(_ work: VideoWork) async throws(EarshotError) -> VideoWork {
        try await self.work(work.id) ?? work
    }

    /// Returns a program with its credits; `nil` if it is not known.
    ///
    /// - Throws: The errors of the source.
    public func program(_ id: EntityID<Program>) async throws(EarshotError) -> Program? {
        try await answer("program", [id.rawValue]) { () async throws(EarshotError) in
            try await source.program(id, links: linkData)
        }
    }

    /// Returns a channel; `nil` if it is not known.
    ///
    /// - Throws: The errors of the source.
    public func channel(_ id: EntityID<BroadcastChannel>) async throws(EarshotError) -> BroadcastChannel? {
        try await answer("channel", [id.rawValue]) { () async throws(EarshotError) in
            try await source.channel(id, links: linkData)
        }
    }

    /// Returns the channel for an identifier of other origin; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - tag: The tag of the channel; an empty one matches every channel.
    ///   - place: The origin of the identifier.
    /// - Throws: The errors of the source.
    public func channel(
        identifier: String,
        tag: String = "",
        source place: BroadcastChannel.IdentifierSource
    ) async throws(EarshotError) -> BroadcastChannel? {
        try await answer("channel", [identifier, tag, place.rawValue]) { () async throws(EarshotError) in
            try await source.channel(identifier: identifier, tag: tag, source: place, links: linkData)
        }
    }

    /// Returns the airings in an interval, including those that began before it.
    ///
    /// - Throws: The errors of the source.
    public func airings(
        on channels: [EntityID<BroadcastChannel>]? = nil,
        from start: Date,
        to end: Date,
        limit: Int = .max
    ) async throws(EarshotError) -> [Airing] {
        try await source.airings(on: channels, from: start, to: end, limit: limit)
    }

    /// Returns an answer from the cache or from the source. An unknown entity is not cached.
    private func answer<Value: Codable & Sendable>(
        _ kind: String,
        _ names: [String],
        _ fetch: () async throws(EarshotError) -> Value?
    ) async throws(EarshotError) -> Value? {
        guard let cache else { return try await fetch() }
        // Each name with its length, so that no two queries share a key.
        let parts = [scope, kind, linkData ? "links" : ""] + names
        let key = parts.map { "\($0.utf8.count):\($0)" }.joined()
        if let data = try? await cache.value(for: key), let value = try? JSONDecoder().decode(Value.self, from: data) {
            return value
        }
        guard let value = try await fetch() else { return nil }
        if let data = try? JSONEncoder().encode(value) { try? await cache.store(data, for: key) }
        return value
    }
}
