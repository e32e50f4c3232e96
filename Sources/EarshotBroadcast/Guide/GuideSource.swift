public import EarshotCore
public import EarshotMusic
public import Foundation

/// A source of guide data: a store on the device, or a service.
///
/// Identifiers in other catalogs are returned only if `links` is `true`. All functions may be called from any task. A
/// store throws `storeUnavailable` and `storeDamaged`; a service `networkUnavailable`, `accessDenied` for content that
/// the client is not entitled to, `serviceFailure`, `malformedResponse` and `timedOut`; all throw `cancelled`.
public protocol GuideSource: Sendable {
    /// Returns a work; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: `true` to include its identifiers in other catalogs.
    func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork?

    /// Returns a program; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: `true` to include its identifiers in other catalogs, and those of its work.
    func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program?

    /// Returns a channel; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: `true` to include its identifiers in other catalogs.
    func channel(_ id: EntityID<BroadcastChannel>, links: Bool) async throws(EarshotError) -> BroadcastChannel?

    /// Returns the channel for an identifier of other origin; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - identifier: The identifier. For a channel of the service its ``BroadcastChannel/id``. For XMLTV the value of
    ///     an external identifier whose source is `xmltv`, or the ``BroadcastChannel/id`` of a channel that a guide
    ///     brought.
    ///   - tag: The tag of the channel; an empty one matches every channel.
    ///   - source: The origin of the identifier.
    ///   - links: `true` to include identifiers in other catalogs.
    func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel?

    /// Returns all channels, in order of their identifiers.
    func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel]

    /// Returns the airings in an interval, including those that began before it, by start and channel identifier.
    ///
    /// - Parameters:
    ///   - channels: The channels; `nil` for all.
    ///   - start: The start of the interval.
    ///   - end: The end of the interval; an airing that begins then is not included.
    ///   - limit: The largest number of airings.
    func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing]

    /// Returns the airing on a channel at a time; `nil` if it is not known. If airings overlap, the one that began
    /// last.
    func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing?
}

extension GuideSource {
    /// Returns the airings in an interval, as ``airings(on:from:to:limit:)`` without a limit.
    ///
    /// - Parameters:
    ///   - channels: The channels; `nil` for all.
    ///   - start: The start of the interval.
    ///   - end: The end of the interval.
    public func airings(
        on channels: [EntityID<BroadcastChannel>]? = nil,
        from start: Date,
        to end: Date
    ) async throws(EarshotError) -> [Airing] {
        try await airings(on: channels, from: start, to: end, limit: .max)
    }
}
