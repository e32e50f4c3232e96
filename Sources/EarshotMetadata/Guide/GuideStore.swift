public import EarshotCore
public import Foundation

/// Where a programme guide is kept: works, programmes, channels, and what is shown when.
///
/// An airing is known by its channel and the instant at which it begins; instants are kept to the millisecond. Identifiers in
/// others' catalogues come only where `links` asks for them. All functions may be called from any task. They throw
/// `storeUnavailable` when the store cannot be reached, `storeDamaged`, and `cancelled`.
public protocol GuideStore: Sendable {
    /// Makes changes, in order, all of them or none.
    ///
    /// - Throws: `metadataInvalid` for an airing of a channel or a programme that is not known, or with times that cannot be,
    ///   and `writeFailed` when the disk is full or closed; then nothing has changed.
    func apply(_ changes: [GuideChange]) async throws(EarshotError)

    /// A work; nothing when it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: Whether its identifiers in others' catalogues are asked for.
    func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork?

    /// A programme; nothing when it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: Whether its identifiers in others' catalogues, and those of its work, are asked for.
    func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program?

    /// A channel; nothing when it is not known.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - links: Whether its identifiers in others' catalogues are asked for.
    func channel(_ id: EntityID<BroadcastChannel>, links: Bool) async throws(EarshotError) -> BroadcastChannel?

    /// The channel of an identifier that comes from elsewhere; nothing when there is none.
    ///
    /// - Parameters:
    ///   - identifier: The identifier: of a channel of the service its ``BroadcastChannel/id``; of XMLTV the value of an
    ///     external identifier whose source is `xmltv`, or the ``BroadcastChannel/id`` of a channel that a guide brought.
    ///   - tag: The word that goes with it: another tag is another channel. An empty one goes with every channel.
    ///   - source: Where the identifier comes from.
    ///   - links: Whether identifiers in others' catalogues are asked for.
    func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel?

    /// All channels, in order of their ids.
    func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel]

    /// What is shown in a span, also what began before it, in order of beginnings and of the ids of channels.
    ///
    /// - Parameters:
    ///   - channels: The channels; nothing for all.
    ///   - start: The beginning of the span.
    ///   - end: The end of the span: what begins at that instant is not part of it.
    ///   - limit: The most airings.
    func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing]

    /// What a channel shows at an instant; nothing when that is not known. Where guides overlap, what began last.
    func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing?

    /// The works in whose titles, in any language, all words of a text stand: first those whose title is the text, then in
    /// order of titles.
    func works(titled text: String, limit: Int) async throws(EarshotError) -> [VideoWork]

    /// The programmes in whose titles, in any language, all words of a text stand, in the same order.
    func programs(titled text: String, limit: Int) async throws(EarshotError) -> [Program]

    /// Removes what ended before an instant, or at it.
    ///
    /// - Parameters:
    ///   - date: The instant.
    ///   - withPrograms: Whether programmes of these airings that have no airing left are removed too.
    /// - Returns: How many airings were removed.
    func removeAirings(endedBy date: Date, withPrograms: Bool) async throws(EarshotError) -> Int

    /// How much is known.
    func counts() async throws(EarshotError) -> GuideCounts
}

extension GuideStore {
    /// What channels show in a span, as ``airings(on:from:to:limit:)`` gives it without a limit.
    ///
    /// - Parameters:
    ///   - channels: The channels; nothing for all.
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
