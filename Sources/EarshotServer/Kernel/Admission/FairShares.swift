import Foundation

/// The recent use of a queue by its owners, which decides who is next. A pure value: times are seconds that never step
/// back.
///
/// Used time is halved every 30 s. The next turn goes to the client with the least used time, and among its users to
/// the one with the least. So if one sends many requests, the others wait for one of its turns, not for all.
struct FairShares {
    /// The sum of the durations of turns in seconds, and their number, both faded to `time`.
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
    /// The duration that a running turn counts as until it has ended, in seconds.
    private static let running = 1.0
    /// The most clients, and the most owners, that are remembered. At the limit, those with less than 0.1 s left are forgotten, or else all.
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

    /// Notes that a turn begins.
    mutating func begin(_ owner: WorkOwner) {
        runningClients[owner.client, default: 0] += 1
        runningOwners[owner, default: 0] += 1
    }

    /// Notes that a turn has ended.
    mutating func end(_ owner: WorkOwner, after seconds: Double, at now: Double) {
        Self.subtract(&runningClients, owner.client)
        Self.subtract(&runningOwners, owner)
        Self.add(&clients, owner.client, seconds, now)
        Self.add(&owners, owner, seconds, now)
    }

    /// Returns the index of the owner who is next, the first one among equals; `nil` if nobody waits.
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
