public import EarshotCore
public import EarshotMusic
public import Foundation

/// Secondary queries: what more is known of a work, a programme or a channel that was recognized.
///
/// ```swift
/// var query = GuideQuery(service, cache: cache)
/// query.linkData = true
/// let work = try await query.work(match.work?.id ?? "")
/// ```
///
/// Answers are looked for in the cache before anybody is asked. What channels show changes, and is never kept.
public struct GuideQuery: Sendable {
    /// `true` if identifiers in others' catalogs are asked for: off where nobody says otherwise.
    public var linkData = false

    private let source: any GuideSource
    private let cache: (any MetadataCache)?
    private let scope: String

    /// Queries of a source.
    ///
    /// - Parameters:
    ///   - source: A store on the device, or a service.
    ///   - scope: Names the source in the cache, where one cache is used for several: the address of a service.
    ///   - cache: The cache of answers; `nil` to ask the source every time.
    public init(_ source: any GuideSource, scope: String = "", cache: (any MetadataCache)? = nil) {
        self.source = source
        self.scope = scope
        self.cache = cache
    }

    /// A work with all that is known of it; `nil` if it is not known.
    ///
    /// - Throws: The source's errors.
    public func work(_ id: EntityID<VideoWork>) async throws(EarshotError) -> VideoWork? {
        try await answer("work", [id.rawValue]) { () async throws(EarshotError) in
            try await source.work(id, links: linkData)
        }
    }

    /// The complete work, of which a match has a part. A work without further details is returned unchanged.
    ///
    /// - Throws: The source's errors.
    public func work(_ work: VideoWork) async throws(EarshotError) -> VideoWork {
        try await self.work(work.id) ?? work
    }

    /// A programme with its credits; `nil` if it is not known.
    ///
    /// - Throws: The source's errors.
    public func program(_ id: EntityID<Program>) async throws(EarshotError) -> Program? {
        try await answer("program", [id.rawValue]) { () async throws(EarshotError) in
            try await source.program(id, links: linkData)
        }
    }

    /// A channel; `nil` if it is not known.
    ///
    /// - Throws: The source's errors.
    public func channel(_ id: EntityID<BroadcastChannel>) async throws(EarshotError) -> BroadcastChannel? {
        try await answer("channel", [id.rawValue]) { () async throws(EarshotError) in
            try await source.channel(id, links: linkData)
        }
    }

    /// The channel of an identifier that comes from elsewhere; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - tag: The word that goes with it; an empty one goes with every channel.
    ///   - place: The origin of the identifier.
    /// - Throws: The source's errors.
    public func channel(
        identifier: String,
        tag: String = "",
        source place: BroadcastChannel.IdentifierSource
    ) async throws(EarshotError) -> BroadcastChannel? {
        try await answer("channel", [identifier, tag, place.rawValue]) { () async throws(EarshotError) in
            try await source.channel(identifier: identifier, tag: tag, source: place, links: linkData)
        }
    }

    /// The airings in an interval, including those that began before it.
    ///
    /// - Throws: The source's errors.
    public func airings(
        on channels: [EntityID<BroadcastChannel>]? = nil,
        from start: Date,
        to end: Date,
        limit: Int = .max
    ) async throws(EarshotError) -> [Airing] {
        try await source.airings(on: channels, from: start, to: end, limit: limit)
    }

    /// An answer from the cache, or from the source; that nothing is known is not kept.
    private func answer<Value: Codable & Sendable>(
        _ kind: String,
        _ names: [String],
        _ fetch: () async throws(EarshotError) -> Value?
    ) async throws(EarshotError) -> Value? {
        guard let cache else { return try await fetch() }
        // Each name with its length: no two queries have one key.
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
