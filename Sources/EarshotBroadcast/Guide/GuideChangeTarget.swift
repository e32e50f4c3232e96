package import EarshotCore
package import EarshotMusic

/// The tables of a guide. Every store makes changes through this protocol, so that all have the same result.
package protocol GuideChangeTarget {
    /// The error of tables that cannot be read or changed.
    associatedtype Failure: Error

    /// Returns `true` if there is a work with an identifier.
    mutating func contains(_ id: EntityID<VideoWork>) throws(Failure) -> Bool
    /// Returns `true` if there is a program with an identifier.
    mutating func contains(_ id: EntityID<Program>) throws(Failure) -> Bool
    /// Returns `true` if there is a channel with an identifier.
    mutating func contains(_ id: EntityID<BroadcastChannel>) throws(Failure) -> Bool

    /// Stores a work and replaces the one with the same identifier.
    mutating func put(_ work: VideoWork) throws(Failure)
    /// Stores a program and replaces the one with the same identifier. Its work is not stored.
    mutating func put(_ program: Program) throws(Failure)
    /// Stores a channel and replaces the one with the same identifier.
    mutating func put(_ channel: BroadcastChannel) throws(Failure)

    /// Removes the airings that begin on a channel within an interval, in milliseconds since 1970, and shortens one
    /// that extends into it.
    mutating func clear(_ span: Range<Int64>, on channel: EntityID<BroadcastChannel>) throws(Failure)
    /// Stores a slot and replaces the one that begins on its channel at the same time. Its channel and program exist.
    mutating func put(_ slot: GuideSlot) throws(Failure)

    /// Converts the error of a refused change.
    static func failure(_ fault: EarshotError) -> Failure
}

extension GuideChangeTarget where Failure == EarshotError {
    /// Returns the error unchanged.
    package static func failure(_ fault: EarshotError) -> EarshotError { fault }
}

extension GuideChangeTarget where Failure == any Error {
    /// Returns the error unchanged.
    package static func failure(_ fault: EarshotError) -> any Error { fault }
}

extension GuideChangeTarget {
    /// Makes a change.
    ///
    /// - Throws: `metadataInvalid` for a schedule with an unknown channel or program, or an airing with invalid times.
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
