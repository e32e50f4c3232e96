package import EarshotCore
package import Foundation
import Synchronization

/// Keeps the jobs of a service that is the only node in memory, and in an archive if there is one.
package final class MemoryJobStore: JobStore {
    private let tables: Mutex<[String: JobTable]>
    private let archive: (any JobArchive)?
    private let clock: MediaClock
    private let now: @Sendable () -> Date

    /// Creates an empty store without an archive.
    ///
    /// - Parameters:
    ///   - clock: The clock of leases.
    ///   - now: Returns the time for the dates of jobs.
    package init(clock: MediaClock = .system, now: @escaping @Sendable () -> Date = { Date() }) {
        (archive, self.clock, self.now) = (nil, clock, now)
        tables = Mutex([:])
    }

    /// Creates a store with the jobs of an archive. Those that ran wait again: the process that did them is gone.
    package init(
        _ archive: any JobArchive,
        clock: MediaClock = .system,
        now: @escaping @Sendable () -> Date
    ) async throws(EarshotError) {
        (self.archive, self.clock, self.now) = (archive, clock, now)
        var tables: [String: JobTable] = [:]
        for var job in try await archive.jobs().sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) {
            if !job.state.isFinal {
                (job.state, job.progress, job.lease) = (.waiting, 0, nil)
                // All jobs of a service on one machine need its folder, also if a copy of the folder got another identifier.
                job.order.place = nil
            }
            tables[job.order.queue, default: JobTable()].add(job)
        }
        self.tables = Mutex(tables)
    }

    private func withTable<Value: Sendable>(
        _ queue: String,
        _ body: (inout JobTable) throws(EarshotError) -> Value
    ) throws(EarshotError) -> Value {
        let result = tables.withLock { tables in
            Result { () throws(EarshotError) in try body(&tables[queue, default: JobTable()]) }
        }
        return try result.get()
    }

    /// Writes a job that has ended to the archive.
    ///
    /// - Throws: The error of the archive. The job is over in memory all the same.
    private func end(_ job: Job) async throws(EarshotError) -> Job {
        let kept = await result { () throws(EarshotError) in try await archive?.keep(job) }
        // Over even if the archive could not write it: unsettled, no node could claim, end or forget it until the next start.
        try withTable(job.order.queue) { $0.settle(job) }
        try kept.get()
        return job
    }

    private func result(_ body: () async throws(EarshotError) -> Void) async -> Result<Void, EarshotError> {
        do throws(EarshotError) { return .success(try await body()) } catch { return .failure(error) }
    }

    // MARK: - Submitting

    package func submit(_ order: JobOrder, limits: JobLimits) async throws(EarshotError) -> Job {
        let job = Job(order, created: now())
        try withTable(order.queue) { table throws(EarshotError) in try table.submit(job, limits) }
        do throws(EarshotError) {
            try await archive?.keep(job)
        } catch {
            try withTable(order.queue) { $0.withdraw(job.id) }
            throw error
        }
        try withTable(order.queue) { $0.settle(job) }
        return job
    }

    package func adopt(_ job: Job) async throws(EarshotError) {
        var job = job
        if !job.state.isFinal { (job.state, job.progress, job.lease, job.isCancelled) = (.waiting, 0, nil, false) }
        let adopted = job
        let isNew = try withTable(job.order.queue) { table in
            guard table.job(adopted.id) == nil else { return false }
            table.add(adopted)
            return true
        }
        if isNew { try await archive?.keep(adopted) }
    }

    package func load(of queue: String, owner: String?) async throws(EarshotError) -> JobLoad {
        try withTable(queue) { $0.load(owner: owner) }
    }

    // MARK: - Holding

    package func claim(
        in queue: String,
        for node: NodeID,
        at place: PlaceID,
        seconds: Double
    ) async throws(EarshotError) -> Job? {
        while true {
            let (time, date) = (clock.now.seconds, now())
            let next = try withTable(queue) {
                $0.claim(for: node, at: place, seconds: seconds, time: time, date: date)
            }
            switch next {
            case .run(let job): return job
            case .end(let job): _ = try await end(job)
            case nil: return nil
            }
        }
    }

    package func prolong(_ job: Job, progress: Double, seconds: Double) async throws(EarshotError) -> Job? {
        let time = clock.now.seconds
        return try withTable(job.order.queue) {
            $0.prolong(job, progress: progress, seconds: seconds, time: time)
        }
    }

    package func finish(_ job: Job, _ outcome: Job.Outcome) async throws(EarshotError) -> Job? {
        let date = now()
        guard let ended = try withTable(job.order.queue, { $0.finish(job, outcome, date: date) }) else { return nil }
        return try await end(ended)
    }

    package func release(_ job: Job) async throws(EarshotError) { try withTable(job.order.queue) { $0.release(job) } }

    // MARK: - Ending

    package func cancel(_ id: String, in queue: String) async throws(EarshotError) -> Job? {
        let date = now()
        let (before, job) = try withTable(queue) { table in (table.job(id), table.cancel(id, date: date)) }
        guard let job, job.state.isFinal, before?.state.isFinal == false else { return job }
        return try await end(job)
    }

    package func fail(
        in queue: String,
        exceptAt places: Set<PlaceID>,
        olderThan age: Double,
        _ failure: Job.Failure
    ) async throws(EarshotError) -> [Job] {
        let (time, date) = (clock.now.seconds, now())
        let lost = try withTable(queue) {
            $0.fail(exceptAt: places, olderThan: age, failure, time: time, date: date)
        }
        for job in lost { _ = try await end(job) }
        return lost
    }

    package func forget(_ id: String, in queue: String) async throws(EarshotError) {
        if try withTable(queue, { $0.forget(id) }) { try await archive?.remove(id, in: queue) }
    }

    package func trim(_ queue: String, owner: String, limits: JobLimits) async throws(EarshotError) {
        for id in try withTable(queue, { $0.trim(owner: owner, limits: limits) }) {
            try await archive?.remove(id, in: queue)
        }
    }

    // MARK: - Reading

    package func job(_ id: String, in queue: String) async throws(EarshotError) -> Job? {
        try withTable(queue) { $0.job(id) }
    }

    package func jobs(in queue: String, of owner: String?) async throws(EarshotError) -> [Job] {
        try withTable(queue) { $0.jobs(of: owner) }
    }
}
