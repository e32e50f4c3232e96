import EarshotBroadcast
import EarshotCore
import EarshotMusic

/// Changes to a guide, grouped so that a few statements make all of them.
struct GuideBatch {
    /// Identifiers of entities.
    struct Names {
        var works: Set<EntityID<VideoWork>> = []
        var programs: Set<EntityID<Program>> = []
        var channels: Set<EntityID<BroadcastChannel>> = []

        /// No identifiers.
        init() {}

        /// The identifiers of entities whose existence changes depend on.
        init(_ changes: [GuideChange]) {
            for change in changes {
                switch change {
                case .work, .channel: break
                case .program(let program): add(program.work)
                case .airing(let airing):
                    channels.insert(airing.channel.id)
                    programs.insert(airing.program.id)
                    add(airing.program.work)
                case .schedule(let schedule):
                    channels.insert(schedule.channel)
                    programs.formUnion(schedule.slots.lazy.map(\.program))
                }
            }
        }

        private mutating func add(_ work: VideoWork?) {
            if let work { works.insert(work.id) }
        }
    }

    /// Time spans to clear, at most one of each channel, and slots that are put after that.
    struct Step {
        fileprivate(set) var spans: [EntityID<BroadcastChannel>: Range<Int64>] = [:]
        private var slotsByPlace: [Place: GuideSlot] = [:]
        private var filled: Set<EntityID<BroadcastChannel>> = []

        private struct Place: Hashable {
            let channel: EntityID<BroadcastChannel>
            let start: Int64
        }

        var slots: [GuideSlot] { Array(slotsByPlace.values) }

        fileprivate func isUntouched(_ channel: EntityID<BroadcastChannel>) -> Bool {
            spans[channel] == nil && !filled.contains(channel)
        }

        fileprivate mutating func put(_ slot: GuideSlot) {
            slotsByPlace[Place(channel: slot.channel, start: GuideSlot.clamped(slot.start))] = slot
            filled.insert(slot.channel)
        }
    }

    /// The entities of the changes that are in the database.
    private let present: Names
    /// The entities that are put.
    private(set) var works: [EntityID<VideoWork>: VideoWork] = [:]
    private(set) var programs: [EntityID<Program>: Program] = [:]
    private(set) var channels: [EntityID<BroadcastChannel>: BroadcastChannel] = [:]
    /// The changes of schedules, in order.
    private(set) var steps: [Step] = []

    /// Creates an empty batch.
    init(present: Names) { self.present = present }
}

extension GuideBatch: GuideChangeTarget {
    typealias Failure = EarshotError

    func contains(_ id: EntityID<VideoWork>) throws(EarshotError) -> Bool {
        works[id] != nil || present.works.contains(id)
    }

    func contains(_ id: EntityID<Program>) throws(EarshotError) -> Bool {
        programs[id] != nil || present.programs.contains(id)
    }

    func contains(_ id: EntityID<BroadcastChannel>) throws(EarshotError) -> Bool {
        channels[id] != nil || present.channels.contains(id)
    }

    mutating func put(_ work: VideoWork) throws(EarshotError) { works[work.id] = work }
    mutating func put(_ program: Program) throws(EarshotError) { programs[program.id] = program }
    mutating func put(_ channel: BroadcastChannel) throws(EarshotError) { channels[channel.id] = channel }

    mutating func clear(_ span: Range<Int64>, on channel: EntityID<BroadcastChannel>) throws(EarshotError) {
        // A step clears before it puts. If the step has changes of the channel already, clearing it needs a new step.
        if steps.last?.isUntouched(channel) != true { steps.append(Step()) }
        steps[steps.count - 1].spans[channel] = span
    }

    mutating func put(_ slot: GuideSlot) throws(EarshotError) {
        if steps.isEmpty { steps.append(Step()) }
        steps[steps.count - 1].put(slot)
    }
}
