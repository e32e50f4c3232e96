package import EarshotCore
package import EarshotMusic

/// The tables of a guide, as changes are made to them. Every store makes changes in this way, so that all end with the same.
package protocol GuideChangeTarget {
    /// The error of tables that cannot be read or changed.
    associatedtype Failure: Error

    /// Returns whether there is a work of an identifier.
    mutating func contains(_ id: EntityID<VideoWork>) throws(Failure) -> Bool
    /// Returns whether there is a programme of an identifier.
    mutating func contains(_ id: EntityID<Program>) throws(Failure) -> Bool
    /// Returns whether there is a channel of an identifier.
    mutating func contains(_ id: EntityID<BroadcastChannel>) throws(Failure) -> Bool

    /// Keeps a work, in place of the one of the same identifier.
    mutating func put(_ work: VideoWork) throws(Failure)
    /// Keeps a programme, in place of the one of the same identifier. Its work is not put.
    mutating func put(_ program: Program) throws(Failure)
    /// Keeps a channel, in place of the one of the same identifier.
    mutating func put(_ channel: BroadcastChannel) throws(Failure)

    /// Removes what begins on a channel within a span of milliseconds since 1970, and cuts what reaches into it.
    mutating func clear(_ span: Range<Int64>, on channel: EntityID<BroadcastChannel>) throws(Failure)
    /// Keeps a place in the schedule, in place of the one that begins on its channel at the same instant. Its channel and its
    /// programme are there.
    mutating func put(_ slot: GuideSlot) throws(Failure)

    /// Returns the error of the tables for a change that is refused.
    static func failure(_ fault: EarshotError) -> Failure
}

extension GuideChangeTarget where Failure == EarshotError {
    /// Returns the fault itself.
    package static func failure(_ fault: EarshotError) -> EarshotError { fault }
}

extension GuideChangeTarget where Failure == any Error {
    /// Returns the fault itself.
    package static func failure(_ fault: EarshotError) -> any Error { fault }
}

extension GuideChangeTarget {
    /// Makes a change.
    ///
    /// - Throws: `metadataInvalid` for an airing of a channel or a programme that is not known, or with times that cannot be.
    package mutating func apply(_ change: GuideChange) throws(Failure) {
        switch change {
        case .work(let work): try put(work)
        case .program(let program): try putWithWork(program)
        case .channel(let channel): try put(channel)
        case .airing(let airing):
            let slot: GuideSlot
            do throws(EarshotError) { slot = try GuideSlot(airing) } catch { throw Self.failure(error) }
            if try !contains(slot.channel) { try put(airing.channel) }
            if try !contains(slot.program) { try putWithWork(airing.program) }
            try put(slot)
        case .schedule(let schedule):
            guard try contains(schedule.channel) else {
                throw Self.failure(GuideFault.unknownChannel(schedule.channel))
            }
            let start = GuideSlot.clamped(schedule.span.lowerBound)
            let end = GuideSlot.clamped(schedule.span.upperBound)
            try clear(start..<end, on: schedule.channel)
            for slot in schedule.slots {
                guard try contains(slot.program) else { throw Self.failure(GuideFault.unknownProgram(slot.program)) }
                try put(slot)
            }
        }
    }

    private mutating func putWithWork(_ program: Program) throws(Failure) {
        try put(program)
        if let work = program.work, try !contains(work.id) { try put(work) }
    }
}
