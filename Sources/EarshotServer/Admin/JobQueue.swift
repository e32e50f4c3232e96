import EarshotAPI
import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation
import Logging

extension Job {
    /// The identifier of the client that owns the job; `nil` for a job of the operator.
    var client: String? { order.owner == Identity.operatorName ? nil : order.owner }
}

extension JobRecord {
    /// Creates the record of a job for its owner.
    init(_ job: Job) {
        self.init(id: job.id, kind: job.order.kind, created: job.created)
        state =
            switch job.state {
            case .waiting: .waiting
            case .running: .running
            case .done: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
        (progress, result, finished) = (job.progress, job.result, job.finished)
        error = job.failure.map { Failure.Body(code: $0.code, message: $0.message) }
    }
}

/// Runs the jobs of one queue, one after another, and reports their progress. Other nodes may run jobs of the same queue.
///
/// Jobs are in the store from the moment they are accepted. One that the end of the service interrupts begins again.
actor JobQueue {
    /// A function that runs a job, reports its progress from 0 to 1, and returns the result.
    typealias Worker =
        @Sendable (Job, _ progress: @escaping @Sendable (Double) -> Void) async throws(EarshotError) -> String?

    /// The node on which a ``JobQueue`` runs.
    struct Node: Sendable {
        var id = NodeID.random()
        /// The identifier of its data folder.
        var place: PlaceID
        /// Its work: a drained node claims no more jobs.
        var work = NodeWork()
        /// The time for which the lease of a job lasts unless it is prolonged, in seconds.
        var seconds = 15.0
    }

    /// The job that this node runs.
    private struct Current {
        var job: Job
        let task: Task<(result: Result<String?, EarshotError>, isHeld: Bool), Never>
        /// `true` if the job was canceled: a failure that follows counts as that.
        var isGivenUp = false
    }

    /// A job whose events are being read.
    private struct Followed {
        let broadcast: EventBroadcast<JobRecord>
        /// The record that was sent last.
        var record: JobRecord
    }

    /// The time between two requests to the store while nothing wakes the queue, in seconds.
    private static let interval = 1.0
    /// The age of a job in seconds, a day, from which on it fails if no node has the folder that it needs.
    private static let patience = 86_400.0

    let name: String
    private let store: any JobStore
    private let node: Node
    private let limits: JobLimits
    private let clock: MediaClock
    private let logger: Logger

    private var loop: Task<Void, Never>?
    private var pause: Task<Void, Never>?
    private var current: Current?
    /// `true` if a job may have come since the store was last asked, so that the pause is skipped.
    private var isWoken = false
    private var isStopping = false
    private var followed: [String: Followed] = [:]
    private var follower: Task<Void, Never>?

    init(
        _ name: String,
        in store: any JobStore,
        node: Node,
        limits: JobLimits = JobLimits(),
        clock: MediaClock = .system,
        logger: Logger
    ) {
        (self.name, self.store, self.node, self.limits) = (name, store, node, limits)
        (self.clock, self.logger) = (clock, logger)
    }

    /// Starts to run jobs.
    func start(_ worker: @escaping Worker) {
        guard loop == nil, !isStopping else { return }
        loop = Task { await run(worker) }
    }

    /// Claims no more jobs, and waits until the running one has ended. If the task is canceled, that job is put back.
    func drain() async {
        isStopping = true
        wake()
        endListening()
        await withTaskCancellationHandler {
            await loop?.value
        } onCancel: {
            Task { await stop() }
        }
    }

    /// Claims no more jobs, and cancels the running one, which is put back: any node begins it again.
    func stop() async {
        isStopping = true
        wake()
        current?.task.cancel()
        await loop?.value
        endListening()
    }

    private func endListening() {
        follower?.cancel()
        for job in followed.values { job.broadcast.finish() }
        followed = [:]
    }

    // MARK: - Submitting

    /// Accepts a job.
    ///
    /// - Parameters:
    ///   - kind: The kind of job.
    ///   - owner: The owner of the job.
    ///   - isOperator: `true` if it is the operator's, whose jobs come first and wait in any number.
    ///   - isLocal: `true` if it reads files in the data folder of this node, or writes its results there.
    ///   - input: The values that the kind of job needs.
    /// - Throws: `serviceBusy` when too many wait, `tooManyRequests` when too many of the owner do, and what the store throws.
    func submit(
        kind: String,
        owner: String,
        isOperator: Bool = false,
        isLocal: Bool = false,
        input: [String: String]
    ) async throws(EarshotError) -> Job {
        let order = JobOrder(
            queue: name,
            id: Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567")),
            kind: kind,
            owner: owner,
            isFirst: isOperator,
            place: isLocal ? node.place : nil,
            input: input
        )
        let job = try await store.submit(order, limits: limits)
        wake()
        return job
    }

    /// Checks that a job would be accepted now.
    ///
    /// - Throws: `serviceBusy` when too many wait, `tooManyRequests` when too many of the owner do.
    func check(_ owner: String, isOperator: Bool) async throws(EarshotError) {
        guard !isOperator else { return }
        try limits.check(try await store.load(of: name, owner: owner), owner: owner)
    }

    // MARK: - Reading

    /// Returns a job; `nil` if there is none.
    func job(_ id: String) async throws(EarshotError) -> Job? {
        try await store.job(id, in: name).map(upToDate)
    }

    /// Returns the jobs of an owner, or all jobs for `nil`, latest first.
    func jobs(of owner: String? = nil) async throws(EarshotError) -> [Job] {
        try await store.jobs(in: name, of: owner).map(upToDate)
    }

    /// The number of jobs that run and that wait, on all nodes.
    var load: JobLoad {
        get async throws(EarshotError) { try await store.load(of: name, owner: nil) }
    }

    /// Returns the job with the progress that this node knows: the store learns of it only when the lease is prolonged.
    private func upToDate(_ job: Job) -> Job {
        guard let current, current.job.id == job.id, job.state == .running else { return job }
        var job = job
        job.progress = current.job.progress
        return job
    }

    // MARK: - Ending

    /// Cancels a job. Another node that runs it notices when it renews its lease.
    func cancel(_ id: String) async throws(EarshotError) {
        if current?.job.id == id {
            current?.isGivenUp = true
            current?.task.cancel()
        }
        // In the store too: if this node has lost its lease, or dies now, the node that runs the job next learns of it.
        if let job = try await store.cancel(id, in: name), job.state.isFinal {
            send(job)
            await trim(job)
        }
    }

    /// Deletes a job that has ended.
    func forget(_ id: String) async throws(EarshotError) { try await store.forget(id, in: name) }

    /// Fails the jobs that need a folder which no node has had for a day. They would wait for ever, and count as waiting.
    ///
    /// - Parameter places: The folders that nodes had in the last day.
    func failLost(except places: Set<PlaceID>) async throws(EarshotError) {
        let failure = Job.Failure(
            code: EarshotError.Code.assetUnavailable.rawValue,
            message:
                "The node whose folder has the files of this job has not run for a day: start it, and submit the job again."
        )
        for job in try await store.fail(in: name, exceptAt: places, olderThan: Self.patience, failure) {
            logger.warning("A job has lost its node", metadata: ["queue": "\(name)", "job": "\(job.id)"])
            send(job)
            await trim(job)
        }
    }

    private func trim(_ job: Job) async {
        do throws(EarshotError) {
            try await store.trim(name, owner: job.order.owner, limits: limits)
        } catch {
            logger.warning("Old jobs could not be forgotten", metadata: ["reason": "\(error.message)"])
        }
    }

    // MARK: - Events

    /// Returns the progress of a job, from now until it has ended.
    func events(_ id: String) async throws(EarshotError) -> AsyncStream<JobRecord> {
        guard let job = try await job(id) else { return AsyncStream { $0.finish() } }
        if let known = followed[id] { return known.broadcast.events }
        let record = JobRecord(upToDate(job))
        let broadcast = EventBroadcast(replay: .latest, buffering: .bufferingNewest(16), initial: record)
        if job.state.isFinal || isStopping {
            broadcast.finish()
        } else {
            followed[id] = Followed(broadcast: broadcast, record: record)
            if follower == nil { follower = Task { await follow() } }
        }
        return broadcast.events
    }

    private func send(_ job: Job) {
        guard let known = followed[job.id] else { return }
        let record = JobRecord(job)
        if record != known.record { known.broadcast.send(record) }
        followed[job.id]?.record = record
        if job.state.isFinal { followed.removeValue(forKey: job.id)?.broadcast.finish() }
    }

    /// Sends the events of jobs that this node does not run: asks the store for them until nobody reads.
    private func follow() async {
        while !followed.isEmpty, !isStopping {
            await sleep()
            for (id, known) in followed where id != current?.job.id {
                if known.broadcast.isEmpty {
                    followed[id] = nil
                    continue
                }
                let job: Job?
                do throws(EarshotError) { job = try await store.job(id, in: name) } catch { continue }
                // While the store was asked, this node may have claimed the job or ended it, and sent newer events.
                guard followed[id]?.broadcast === known.broadcast, id != current?.job.id else { continue }
                if let job { send(job) } else { followed.removeValue(forKey: id)?.broadcast.finish() }
            }
        }
        follower = nil
    }

    // MARK: - Work

    private func wake() {
        isWoken = true
        pause?.cancel()
    }

    private func sleep() async {
        let end = clock.now.seconds + Self.interval
        try? await clock.sleep(until: MediaTime(seconds: end, preferredTimescale: 1_000_000_000))
    }

    private func run(_ worker: @escaping Worker) async {
        var isAway = false
        while !isStopping {
            isWoken = false
            do throws(EarshotError) {
                let isDone = try await workOnce(worker)
                isAway = false
                if isDone { continue }
            } catch {
                if !isAway {
                    logger.error(
                        "No jobs could be taken",
                        metadata: ["queue": "\(name)", "reason": "\(error.message)"]
                    )
                }
                isAway = true
            }
            guard !isWoken else { continue }
            let pause = Task { await sleep() }
            self.pause = pause
            await pause.value
            self.pause = nil
        }
    }

    /// Claims the next job and runs it to its end.
    ///
    /// - Returns: `false` if there is none, or the node is drained.
    private func workOnce(_ worker: @escaping Worker) async throws(EarshotError) -> Bool {
        guard node.work.begin() else { return false }
        defer { node.work.end() }
        let asked = clock.now.seconds
        guard let job = try await store.claim(in: name, for: node.id, at: node.place, seconds: node.seconds) else {
            return false
        }
        await work(job, since: asked, worker)
        return true
    }

    private func work(_ job: Job, since asked: Double, _ worker: @escaping Worker) async {
        guard !isStopping else { return await release(job) }
        let timer = LeaseTimer(seconds: node.seconds, clock: clock)
        let task = Task {
            await timer.run(
                since: asked,
                prolong: { () throws(EarshotError) in try await self.prolong(job) },
                { () throws(EarshotError) in
                    try await worker(job) { progress in Task { await self.advance(job, progress) } }
                }
            )
        }
        current = Current(job: job, task: task)
        send(job)
        let (result, isHeld) = await task.value
        let isGivenUp = current?.isGivenUp == true
        current = nil
        switch result {
        // A job that succeeded before the cancellation reached it stays done.
        case .success(let text): await finish(job, .done(text))
        case .failure where isGivenUp: await finish(job, .cancelled)
        case .failure(let error) where !isHeld || isStopping && error.code == .cancelled: await release(job)
        case .failure(let error):
            await finish(job, .failed(Job.Failure(code: error.code.rawValue, message: error.message)))
        }
    }

    /// Renews the lease of a job that this node runs.
    ///
    /// - Returns: `false` if the job is to stop: it was canceled, or another node holds it.
    private func prolong(_ job: Job) async throws(EarshotError) -> Bool {
        let progress = current?.job.progress ?? 0
        guard let held = try await store.prolong(job, progress: progress, seconds: node.seconds) else {
            logger.warning("Another node does a job that this one did", metadata: ["job": "\(job.id)"])
            return false
        }
        if held.isCancelled { current?.isGivenUp = true }
        return !held.isCancelled
    }

    private func advance(_ job: Job, _ progress: Double) {
        guard let current, current.job.lease == job.lease, current.job.id == job.id else { return }
        let (old, new) = (current.job.progress, min(max(progress, current.job.progress), 1))
        // A worker may report each byte: readers of events get steps of a hundredth.
        guard new - old >= 0.01 || new == 1 else { return }
        self.current?.job.progress = new
        if let job = self.current?.job { send(job) }
    }

    /// Puts a job back, so that any node can claim it. If the store cannot be reached, the lease ends by itself.
    private func release(_ job: Job) async {
        do throws(EarshotError) {
            try await store.release(job)
        } catch {
            logger.warning("A job could not be put back", metadata: ["job": "\(job.id)", "reason": "\(error.message)"])
        }
    }

    /// Ends a job in the store, and tries again until the store takes it: otherwise the job would run twice, and files that it needs
    /// may be gone by then.
    private func finish(_ job: Job, _ outcome: Job.Outcome) async {
        while true {
            do throws(EarshotError) {
                if let ended = try await store.finish(job, outcome) {
                    send(ended)
                    await trim(ended)
                }
                return
            } catch {
                logger.error(
                    "A job's end could not be kept",
                    metadata: ["job": "\(job.id)", "reason": "\(error.message)"]
                )
                guard !isStopping else { return }
                await sleep()
            }
        }
    }
}
