import Foundation

/// The recent use of a queue by its owners, which decides who is next. A pure value: times are seconds that never step
/// back.
///
/// Used time is halved every 30 s. The next turn goes to the client with the least used time, and among its users to
/// the one with the least. So if one sends many requests, the others wait for one of its turns, not for all.
struct FairShares {
    /// Seconds of turns, and how many they were, both faded.
    private struct Had {
        var seconds = 0.0
        var turns = 0.0
        var time = 0.0

        func faded(to now: Double) -> Had {
            let left = exp2(-max(0, now - time) / halfLife)
            return Had(seconds: seconds * left, turns: turns * left, time: now)
        }
    }

    private static let halfLife = 30.0
    /// The time that a running turn counts as until its duration is known, in seconds.
    private static let running = 1.0
    /// The use of a client that may take more than others without being a burden, in seconds: an eighth of a processor.
    private static let smallUse = 5.0
    /// A client whose last turn ended so many seconds ago or less counts as one of the others.
    private static let recent = 10.0
    /// Owners that are remembered, at most; beyond, those that have had next to nothing are forgotten.
    private static let mostOwners = 2_000

    private var clients: [String: Had] = [:]
    private var owners: [WorkOwner: Had] = [:]
    private var runningClients: [String: Int] = [:]
    private var runningOwners: [WorkOwner: Int] = [:]

    /// Returns the number of running turns of a client.
    func running(_ client: String) -> Int { runningClients[client, default: 0] }

    /// Returns the recent mean duration of a client's turns, in seconds; 0 for a new client.
    func meanTurn(_ client: String, at now: Double) -> Double {
        guard let had = clients[client], had.turns > 0 else { return 0 }
        return had.seconds / had.turns
    }

    /// Returns `true` for a client that has used half as much again as another one that is using the queue, and more than a little.
    ///
    /// Many short turns take as much of the machine from others as few long ones.
    func hasMoreThanOthers(_ client: String, at now: Double) -> Bool {
        let own = rank(WorkOwner(client: client), now).client
        guard own > Self.smallUse else { return false }
        return clients.contains { name, had in
            name != client && now - had.time <= Self.recent && 1.5 * had.faded(to: now).seconds < own
        }
    }

    /// A turn begins.
    mutating func begin(_ owner: WorkOwner) {
        runningClients[owner.client, default: 0] += 1
        runningOwners[owner, default: 0] += 1
    }

    /// A turn has ended.
    mutating func end(_ owner: WorkOwner, after seconds: Double, at now: Double) {
        Self.subtract(&runningClients, owner.client)
        Self.subtract(&runningOwners, owner)
        Self.add(&clients, owner.client, seconds, now)
        Self.add(&owners, owner, seconds, now)
    }

    /// Returns the index of the owner who is next; the first one among equals.
    func next(among waiting: some Collection<WorkOwner>, at now: Double) -> Int? {
        waiting.enumerated().min { first, second in
            let (one, other) = (rank(first.element, now), rank(second.element, now))
            return (one.client, one.owner, first.offset) < (other.client, other.owner, second.offset)
        }?.offset
    }

    private func rank(_ owner: WorkOwner, _ now: Double) -> (client: Double, owner: Double) {
        let client = (clients[owner.client] ?? Had()).faded(to: now).seconds
        let own = (owners[owner] ?? Had()).faded(to: now).seconds
        return (
            client + Self.running * Double(runningClients[owner.client, default: 0]),
            own + Self.running * Double(runningOwners[owner, default: 0])
        )
    }

    private static func add<Key: Hashable>(_ had: inout [Key: Had], _ key: Key, _ seconds: Double, _ now: Double) {
        if had.count >= mostOwners, had[key] == nil {
            had = had.filter { $0.value.faded(to: now).seconds > 0.1 }
            if had.count >= mostOwners { had = [:] }
        }
        var value = (had[key] ?? Had()).faded(to: now)
        value.seconds += seconds
        value.turns += 1
        had[key] = value
    }

    private static func subtract<Key: Hashable>(_ counts: inout [Key: Int], _ key: Key) {
        let left = counts[key, default: 1] - 1
        counts[key] = left > 0 ? left : nil
    }
}
