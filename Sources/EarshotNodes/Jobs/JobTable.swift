import EarshotCore
import Foundation

/// The jobs of a queue in memory: decides which is next, and keeps the leases.
///
/// A job that is submitted or ended is first written to the archive. Meanwhile no node can claim it; ``settle(_:)`` ends this state.
struct JobTable {
    private struct Entry {
        var job: Job
        /// The position in the order in which jobs were submitted, from 1.
        let number: Int
        let round: Int
        /// The number of times that the job was claimed.
        var fence = 0
        /// The end of the lease, in seconds of the clock.
        var end = 0.0
        /// `true` while the archive writes the job.
        var isSettling = false

        var sortKey: (Int, Int, Int) { (job.order.isFirst ? 0 : 1, round, number) }
    }

    /// The job that is to be begun or ended next.
    enum Next {
        case run(Job)
        /// To be ended: the job was canceled, and its holder let the lease end.
        case end(Job)
    }

    private var open: [String: Entry] = [:]
    private var over: [String: (job: Job, number: Int)] = [:]
    private var count = 0

    // MARK: - Submitting

    /// Returns the number of jobs that are not over.
    func load(owner: String?) -> JobLoad {
        let waiting = open.values.filter { $0.job.state == .waiting }
        return JobLoad(
            running: open.count - waiting.count,
            waiting: waiting.count,
            ownerWaiting: waiting.count { $0.job.order.owner == owner }
        )
    }

    /// Adds a job that no node can claim until ``settle(_:)``; ``withdraw(_:)`` takes it back.
    ///
    /// - Throws: `serviceBusy`, `tooManyRequests` as ``JobLimits/check(_:owner:)``; `internalError` for an identifier that is taken.
    mutating func submit(_ job: Job, _ limits: JobLimits) throws(EarshotError) {
        guard open[job.id] == nil, over[job.id] == nil else {
            throw EarshotError(.internalError, "There is a job \(job.id) already: please report this.")
        }
        if !job.order.isFirst { try limits.check(load(owner: job.order.owner), owner: job.order.owner) }
        add(job)
        open[job.id]?.isSettling = true
    }

    /// Removes a job that the archive could not write.
    mutating func withdraw(_ id: String) { open[id] = nil }

    /// Adds a job of the archive or of another store. Jobs must be added in the order in which they were submitted.
    mutating func add(_ job: Job) {
        count += 1
        if job.state.isFinal {
            over[job.id] = (job, count)
        } else {
            open[job.id] = Entry(job: job, number: count, round: job.order.isFirst ? 0 : round(of: job.order.owner))
        }
    }

    private func round(of owner: String) -> Int {
        var rounds = JobRounds()
        for entry in open.values where !entry.job.order.isFirst {
            if entry.job.state == .running {
                rounds.begun = max(rounds.begun ?? entry.round, entry.round)
            } else {
                rounds.next = min(rounds.next ?? entry.round, entry.round)
            }
            if entry.job.order.owner == owner { rounds.last = max(rounds.last ?? entry.round, entry.round) }
        }
        return rounds.new
    }

    // MARK: - Holding

    mutating func claim(for node: NodeID, at place: PlaceID, seconds: Double, time: Double, date: Date) -> Next? {
        let free = open.values.filter { entry in
            let isFree = !entry.isSettling && (entry.job.state == .waiting || entry.end <= time)
            return isFree && (entry.job.isCancelled || entry.job.order.place.map { $0 == place } ?? true)
        }
        guard var entry = free.min(by: { $0.sortKey < $1.sortKey }) else { return nil }
        defer { open[entry.job.id] = entry }
        if entry.job.isCancelled {
            entry.isSettling = true
            return .end(entry.job.ended(.cancelled, at: date))
        }
        entry.fence += 1
        entry.end = time + seconds
        (entry.job.state, entry.job.progress) = (.running, 0)
        entry.job.lease = Lease(name: entry.job.id, holder: node, fence: entry.fence, seconds: seconds)
        return .run(entry.job)
    }

    /// Returns the entry of a job if the job's lease is still the one by which it is held, and it is not being ended.
    private func held(_ job: Job) -> Entry? {
        guard let entry = open[job.id], let lease = entry.job.lease, lease.holder == job.lease?.holder,
            lease.fence == job.lease?.fence, !entry.isSettling
        else { return nil }
        return entry
    }

    mutating func prolong(_ job: Job, progress: Double, seconds: Double, time: Double) -> Job? {
        guard var entry = held(job), let lease = entry.job.lease else { return nil }
        entry.end = time + seconds
        entry.job.progress = max(entry.job.progress, progress)
        entry.job.lease = Lease(name: lease.name, holder: lease.holder, fence: lease.fence, seconds: seconds)
        open[job.id] = entry
        return entry.job
    }

    mutating func release(_ job: Job) {
        guard var entry = held(job) else { return }
        (entry.job.state, entry.job.progress, entry.job.lease) = (.waiting, 0, nil)
        open[job.id] = entry
    }

    // MARK: - Ending

    /// Returns the job as it will be at its end; `nil` if its lease does not hold any more. ``settle(_:)`` is to follow.
    mutating func finish(_ job: Job, _ outcome: Job.Outcome, date: Date) -> Job? {
        guard var entry = held(job) else { return nil }
        entry.isSettling = true
        open[job.id] = entry
        return entry.job.ended(outcome, at: date)
    }

    /// Gives a job up. A waiting one is returned as it will be at its end, and ``settle(_:)`` is to follow; of a running one, the holder is
    /// told. Returns `nil` if there is no such job.
    mutating func cancel(_ id: String, date: Date) -> Job? {
        guard var entry = open[id] else { return over[id]?.job }
        defer { open[id] = entry }
        if entry.job.state == .waiting, !entry.isSettling {
            entry.isSettling = true
            return entry.job.ended(.cancelled, at: date)
        }
        entry.job.isCancelled = true
        return entry.job
    }

    /// Takes over the job as the archive wrote it, so that it can be claimed, or is over.
    mutating func settle(_ job: Job) {
        guard let entry = open[job.id] else { return }
        if job.state.isFinal {
            open[job.id] = nil
            over[job.id] = (job, entry.number)
        } else {
            open[job.id]?.isSettling = false
        }
    }

    /// Returns the jobs that need a folder other than `places`, are held by no node and were submitted at least `age` seconds ago, as they
    /// will be at their end. For each, ``settle(_:)`` is to follow.
    mutating func fail(
        exceptAt places: Set<PlaceID>,
        olderThan age: Double,
        _ failure: Job.Failure,
        time: Double,
        date: Date
    ) -> [Job] {
        let lost = open.values.filter { entry in
            guard let place = entry.job.order.place, !places.contains(place), !entry.isSettling else { return false }
            return (entry.job.state == .waiting || entry.end <= time)
                && date.timeIntervalSince(entry.job.created) >= age
        }
        for entry in lost { open[entry.job.id]?.isSettling = true }
        return lost.map { $0.job.ended(.failed(failure), at: date) }
    }

    /// Forgets a job that is over; returns `false` if there is none of this identifier.
    mutating func forget(_ id: String) -> Bool { over.removeValue(forKey: id) != nil }

    /// Forgets the oldest jobs that are over and exceed the limits, and returns their identifiers.
    mutating func trim(owner: String, limits: JobLimits) -> [String] {
        let latest = over.values.sorted {
            ($0.job.finished ?? .distantPast, $0.number) > ($1.job.finished ?? .distantPast, $1.number)
        }
        // The owner's limit comes first, so that many jobs of one owner push out their own oldest ones.
        let own = latest.filter { $0.job.order.owner == owner }.dropFirst(limits.ownerMemory)
        let gone = Set((own + latest.dropFirst(limits.memory)).map(\.job.id))
        for id in gone { over[id] = nil }
        return gone.sorted()
    }

    // MARK: - Reading

    func job(_ id: String) -> Job? { open[id]?.job ?? over[id]?.job }

    func jobs(of owner: String?) -> [Job] {
        let all = open.values.map { ($0.job, $0.number) } + over.values.map { ($0.job, $0.number) }
        return all.filter { owner == nil || $0.0.order.owner == owner }.sorted { $0.1 > $1.1 }.map(\.0)
    }
}
