package import EarshotCore
package import EarshotMusic
import Foundation

/// What a guide in memory holds.
struct GuideState: Sendable {
    /// Something with a title, and the keys by which that is found.
    struct Titled<Value: Sendable>: Sendable {
        let value: Value
        let name: String
        let words: Set<String>
    }

    private(set) var works: [EntityID<VideoWork>: Titled<VideoWork>] = [:]
    private(set) var programs: [EntityID<Program>: Titled<Program>] = [:]
    private(set) var channels: [EntityID<BroadcastChannel>: BroadcastChannel] = [:]
    /// In order of their beginnings.
    private(set) var slots: [EntityID<BroadcastChannel>: [GuideSlot]] = [:]

    func airing(_ slot: GuideSlot) -> Airing? {
        guard let channel = channels[slot.channel], let program = programs[slot.program] else { return nil }
        return slot.airing(channel.showing(links: false), program.value.showing(links: false))
    }

    mutating func apply(_ change: GuideChange) throws(EarshotError) {
        switch change {
        case .work(let work): put(work)
        case .program(let program): put(program)
        case .channel(let channel): channels[channel.id] = channel
        case .airing(let airing):
            let slot = try GuideSlot(airing)
            if channels[slot.channel] == nil { channels[slot.channel] = airing.channel }
            if programs[slot.program] == nil { put(airing.program) }
            insert(slot)
        case .schedule(let schedule): try put(schedule)
        }
    }

    private mutating func put(_ work: VideoWork) {
        works[work.id] = Titled(
            value: work,
            name: TitleSearch.name(work.title),
            words: TitleSearch.words([work.title, work.subtitle])
        )
    }

    private mutating func put(_ program: Program) {
        programs[program.id] = Titled(
            value: program,
            name: TitleSearch.name(program.title),
            words: TitleSearch.words([program.title, program.subtitle])
        )
        if let work = program.work, works[work.id] == nil { put(work) }
    }

    private mutating func put(_ schedule: GuideSchedule) throws(EarshotError) {
        guard channels[schedule.channel] != nil else { throw GuideFault.unknownChannel(schedule.channel) }
        let start = GuideSlot.date(GuideSlot.clamped(schedule.span.lowerBound))
        let end = GuideSlot.date(GuideSlot.clamped(schedule.span.upperBound))
        var kept: [GuideSlot] = []
        for slot in slots[schedule.channel] ?? [] where !(start..<end).contains(slot.start) {
            kept.append(slot.start < start && slot.end > start ? try slot.ending(start) : slot)
        }
        slots[schedule.channel] = kept
        for slot in schedule.slots {
            guard programs[slot.program] != nil else { throw GuideFault.unknownProgram(slot.program) }
            insert(slot)
        }
    }

    private mutating func insert(_ slot: GuideSlot) {
        var list = slots.removeValue(forKey: slot.channel) ?? []
        let place = list.partitioningIndex { $0.start >= slot.start }
        if place < list.count, list[place].start == slot.start {
            list[place] = slot
        } else {
            list.insert(slot, at: place)
        }
        slots[slot.channel] = list
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

/// What is wrong with a change.
package enum GuideFault {
    /// A channel that is not there.
    package static func unknownChannel(_ id: EntityID<BroadcastChannel>) -> EarshotError {
        EarshotError(.metadataInvalid, "The guide has no channel \(id): put it before its schedule.")
    }

    /// A programme that is not there.
    package static func unknownProgram(_ id: EntityID<Program>) -> EarshotError {
        EarshotError(.metadataInvalid, "The guide has no programme \(id): put it before its airings.")
    }
}

extension [GuideSlot] {
    /// The first index at which a condition holds that, once it holds, does so to the end.
    fileprivate func partitioningIndex(_ condition: (GuideSlot) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
