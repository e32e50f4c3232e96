package import EarshotCore
package import EarshotMusic
package import Foundation
import Synchronization

/// A program guide in memory, for tests and small services. It is lost with the object.
package final class MemoryGuideStore: GuideStore {
    private let state = Mutex(GuideState())

    /// Creates an empty guide.
    public init() {}

    /// Makes changes in order: all of them or none.
    package func apply(_ changes: [GuideChange]) async throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            // A copy, so that a refused change undoes the others.
            var next = state
            for change in changes { try next.apply(change) }
            state = next
        }
    }

    /// Returns a work; `nil` if it is not known.
    package func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork? {
        state.withLock { $0.works[id]?.value }?.showing(links: links)
    }

    /// Returns a program; `nil` if it is not known.
    package func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program? {
        state.withLock { $0.programs[id]?.value }?.showing(links: links)
    }

    /// Returns a channel; `nil` if it is not known.
    package func channel(
        _ id: EntityID<BroadcastChannel>,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        state.withLock { $0.channels[id] }?.showing(links: links)
    }

    /// Returns the channel for an identifier of other origin; `nil` if there is none.
    package func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        let channels = state.withLock { $0.channels }
        func fits(_ channel: BroadcastChannel) -> Bool { tag.isEmpty || channel.tag == tag }
        let own = channels[EntityID(identifier)].flatMap { fits($0) ? $0 : nil }
        guard source == .xmltv else { return own?.showing(links: links) }
        let linked = channels.values.filter { channel in
            fits(channel) && channel.externalIdentifiers.contains { $0.isXMLTV(identifier) }
        }
        return (linked.min { $0.id < $1.id } ?? own)?.showing(links: links)
    }

    /// Returns all channels, in order of their identifiers.
    package func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel] {
        state.withLock { $0.channels.values.sorted { $0.id < $1.id } }.map { $0.showing(links: links) }
    }

    /// Returns the airings in an interval, by start and channel identifier.
    package func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing] {
        let (first, last) = (GuideSlot.date(GuideSlot.clamped(start)), GuideSlot.date(GuideSlot.clamped(end)))
        return state.withLock { state in
            let ids = channels.map(Set.init) ?? Set(state.slots.keys)
            let slots = ids.flatMap { state.slots[$0] ?? [] }.filter { $0.start < last && $0.end > first }
            return slots.sorted { ($0.start, $0.channel) < ($1.start, $1.channel) }
                .prefix(max(0, limit)).compactMap { state.airing($0) }
        }
    }

    /// Returns the airing on a channel at a time; `nil` if it is not known.
    package func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing? {
        let date = GuideSlot.date(GuideSlot.clamped(date))
        return state.withLock { state in
            state.slots[channel]?.last { $0.start <= date && date < $0.end }.flatMap { state.airing($0) }
        }
    }

    /// Returns the works whose titles contain all words of a text.
    package func works(titled text: String, limit: Int) async throws(EarshotError) -> [VideoWork] {
        let works = state.withLock { $0.works }
        return Self.found(works, text, limit, \.id).map { $0.showing(links: false) }
    }

    /// Returns the programs whose titles contain all words of a text.
    package func programs(titled text: String, limit: Int) async throws(EarshotError) -> [Program] {
        let programs = state.withLock { $0.programs }
        return Self.found(programs, text, limit, \.id).map { $0.showing(links: false) }
    }

    /// Removes the airings that ended at or before a time, and returns their number.
    package func removeAirings(endedBy date: Date, withPrograms: Bool) async throws(EarshotError) -> Int {
        let date = GuideSlot.date(GuideSlot.clamped(date))
        return state.withLock { $0.removeAirings(endedBy: date, withPrograms: withPrograms) }
    }

    /// Returns the number of records of each kind.
    package func counts() async throws(EarshotError) -> GuideCounts {
        state.withLock { state in
            var counts = GuideCounts()
            counts.works = state.works.count
            counts.programs = state.programs.count
            counts.channels = state.channels.count
            counts.airings = state.slots.values.reduce(0) { $0 + $1.count }
            return counts
        }
    }

    private static func found<Value>(
        _ entries: [EntityID<Value>: GuideState.Titled<Value>],
        _ text: String,
        _ limit: Int,
        _ id: KeyPath<Value, EntityID<Value>>
    ) -> [Value] {
        let search = TitleSearch(text)
        return entries.values.filter { search.matches($0.keys.words) }
            .sorted { left, right in
                let (first, second) = (left.keys.name == search.name, right.keys.name == search.name)
                if first != second { return first }
                if left.keys.name != right.keys.name {
                    return left.keys.name.utf8.lexicographicallyPrecedes(right.keys.name.utf8)
                }
                return left.value[keyPath: id] < right.value[keyPath: id]
            }
            .prefix(max(0, limit)).map(\.value)
    }
}
