public import EarshotCore
public import EarshotMusic
public import Foundation

/// A source of guide data: a store on the device, or a service.
///
/// Identifiers in other catalogs are returned only if `links` is `true`. All functions may be called from any task. A
/// store throws `storeUnavailable` and `storeDamaged`; a service `networkUnavailable`, `accessDenied` for content that
/// the client is not entitled to, `serviceFailure`, `malformedResponse` and `timedOut`; all throw `cancelled`.
public protocol GuideSource: Sendable {
    /// A work; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: `true` if its identifiers in others' catalogs are asked for.
    func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork?

    /// A programme; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: `true` if its identifiers in others' catalogs, and those of its work, are asked for.
    func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program?

    /// A channel; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: `true` if its identifiers in others' catalogs are asked for.
    func channel(_ id: EntityID<BroadcastChannel>, links: Bool) async throws(EarshotError) -> BroadcastChannel?

    /// The channel of an identifier that comes from elsewhere; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - identifier: The identifier: of a channel of the service its ``BroadcastChannel/id``; of XMLTV the value of an
    ///     external identifier whose source is `xmltv`, or the ``BroadcastChannel/id`` of a channel that a guide brought.
    ///   - tag: The word that goes with it: another tag is another channel. An empty one goes with every channel.
    ///   - source: The origin of the identifier.
    ///   - links: `true` if identifiers in others' catalogs are asked for.
    func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel?

    /// All channels, in order of their ids.
    func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel]

    /// The airings in an interval, including those that began before it, by start and channel identifier.
    ///
    /// - Parameters:
    ///   - channels: The channels; `nil` for all.
    ///   - start: The beginning of the span.
    ///   - end: The end of the span: what begins at that instant is not part of it.
    ///   - limit: The most airings.
    func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing]

    /// The airing on a channel at a time; `nil` if it is not known. If guides overlap, the one that began last.
    func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing?
}

extension GuideSource {
    /// The airings in an interval, as ``airings(on:from:to:limit:)`` without a limit.
    ///
    /// - Parameters:
    ///   - channels: The channels; `nil` for all.
    ///   - start: The beginning of the span.
    ///   - end: The end of the span.
    public func airings(
        on channels: [EntityID<BroadcastChannel>]? = nil,
        from start: Date,
        to end: Date
    ) async throws(EarshotError) -> [Airing] {
        try await airings(on: channels, from: start, to: end, limit: .max)
    }
}
