package import EarshotCore
package import EarshotMusic
import Foundation

/// The contents of a guide in memory.
struct GuideState: Sendable {
    /// A value with a title, and the search keys of the title.
    struct Titled<Value: Sendable>: Sendable {
        let value: Value
        let keys: TitleKeys
    }

    private(set) var works: [EntityID<VideoWork>: Titled<VideoWork>] = [:]
    private(set) var programs: [EntityID<Program>: Titled<Program>] = [:]
    private(set) var channels: [EntityID<BroadcastChannel>: BroadcastChannel] = [:]
    /// The slots of each channel, in order of start.
    private(set) var slots: [EntityID<BroadcastChannel>: [GuideSlot]] = [:]

    func airing(_ slot: GuideSlot) -> Airing? {
        guard let channel = channels[slot.channel], let program = programs[slot.program] else { return nil }
        return slot.airing(channel.showing(links: false), program.value.showing(links: false))
    }

    mutating func removeAirings(endedBy date: Date, withPrograms: Bool) -> Int {
        var removed: [GuideSlot] = []
        for (channel, list) in slots {
            removed += list.filter { $0.end <= date }
            slots[channel] = list.filter { $0.end > date }
        }
        if withPrograms {
            let left = Set(slots.values.lazy.joined().map(\.program))
            for slot in removed where !left.contains(slot.program) { programs[slot.program] = nil }
        }
        return removed.count
    }
}

extension GuideState: GuideChangeTarget {
    typealias Failure = EarshotError

    func contains(_ id: EntityID<VideoWork>) throws(EarshotError) -> Bool { works[id] != nil }
    func contains(_ id: EntityID<Program>) throws(EarshotError) -> Bool { programs[id] != nil }
    func contains(_ id: EntityID<BroadcastChannel>) throws(EarshotError) -> Bool { channels[id] != nil }

    mutating func put(_ work: VideoWork) throws(EarshotError) {
        works[work.id] = Titled(value: work, keys: TitleKeys(work))
    }

    mutating func put(_ program: Program) throws(EarshotError) {
        programs[program.id] = Titled(value: program, keys: TitleKeys(program))
    }

    mutating func put(_ channel: BroadcastChannel) throws(EarshotError) { channels[channel.id] = channel }

    mutating func clear(_ span: Range<Int64>, on channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        let (start, end) = (GuideSlot.date(span.lowerBound), GuideSlot.date(span.upperBound))
        var kept: [GuideSlot] = []
        for slot in slots[channel] ?? [] where !(start..<end).contains(slot.start) {
            kept.append(slot.start < start && slot.end > start ? try slot.ending(start) : slot)
        }
        slots[channel] = kept
    }

    mutating func put(_ slot: GuideSlot) throws(EarshotError) {
        var list = slots.removeValue(forKey: slot.channel) ?? []
        let place = list.partitioningIndex { $0.start >= slot.start }
        if place < list.count, list[place].start == slot.start {
            list[place] = slot
        } else {
            list.insert(slot, at: place)
        }
        slots[slot.channel] = list
    }
}

/// The errors of refused changes.
package enum GuideFault {
    /// The error for an unknown channel.
    package static func unknownChannel(_ id: EntityID<BroadcastChannel>) -> EarshotError {
        EarshotError(.metadataInvalid, "The guide has no channel \(id): put it before its schedule.")
    }

    /// The error for an unknown program.
    package static func unknownProgram(_ id: EntityID<Program>) -> EarshotError {
        EarshotError(.metadataInvalid, "The guide has no programme \(id): put it before its airings.")
    }
}

extension [GuideSlot] {
    /// Returns the first index at which a condition holds, if it holds from there to the end.
    fileprivate func partitioningIndex(_ condition: (GuideSlot) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
