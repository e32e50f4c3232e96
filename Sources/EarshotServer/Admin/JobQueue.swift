import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import Logging

/// What a job is to do, as it is kept until it is done.
struct JobOrder: Codable, Sendable {
    var record: JobRecord
    /// Whose job it is: a client, or the operator.
    var owner: String
    /// Whether it comes before those of clients.
    var isFirst: Bool?
    /// What the kind of job needs to know.
    var input: [String: String]

    /// The id of the client whose job it is; `nil` for the operator's.
    var client: String? { owner == Identity.operatorName ? nil : owner }
}

/// Does the service's longer work, one job after another, and tells how far it is.
///
/// Jobs are in the store from the moment they are accepted: those that a restart interrupts begin again.
actor JobQueue {
    /// Does a job; tells how much is done, from 0 to 1; returns what came of it.
    typealias Worker =
        @Sendable (JobOrder, _ progress: @escaping @Sendable (Double) -> Void) async throws(EarshotError) -> String?

    /// The most jobs of each kind.
    struct Limits: Sendable {
        /// Jobs that are over and still listed.
        var memory = JobQueue.memory
        /// Jobs of one client that are over and still listed.
        var clientMemory = JobQueue.memory
        /// Jobs that wait.
        var waiting = JobQueue.waitingLimit
        /// Jobs of one client that wait.
        var client = JobQueue.clientLimit
    }

    /// How many jobs that are over are remembered.
    static let memory = 200
    /// How many jobs wait, at most, and how many of one client.
    static let waitingLimit = 1_000
    static let clientLimit = 20

    /// The beginning of the names of jobs in the store: each queue has its own.
    private let prefix: String
    private let limits: Limits
    private let store: any AccountStore
    private let now: @Sendable () -> Date
    private let logger: Logger
    private var orders: [String: JobOrder] = [:]
    private var queue: [String] = []
    private var current: (id: String, task: Task<Void, Never>)?
    private var broadcasts: [String: EventBroadcast<JobRecord>] = [:]
    private var worker: Worker?
    /// Jobs under way that are to be given up.
    private var givenUp: Set<String> = []
    /// When each owner that waits had its last turn, in turns.
    private var lastTurns: [String: Int] = [:]
    private var turns = 0
    private var isStopping = false

    init(
        _ store: any AccountStore,
        prefix: String = "job/",
        limits: Limits = Limits(),
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        (self.store, self.prefix, self.limits) = (store, prefix, limits)
        self.now = now
        self.logger = logger
    }

    /// Reads the jobs of before and goes on with those that are not over.
    func start(_ worker: @escaping Worker) async throws(EarshotError) {
        self.worker = worker
        for name in try await store.valueNames(beginning: prefix) {
            guard let data = try await store.value(name),
                var order = try? ServiceAPI.decoder().decode(JobOrder.self, from: data)
            else { continue }
            if order.record.state == .running {
                order.record.state = .waiting
                order.record.progress = 0
            }
            orders[order.record.id] = order
        }
        queue = orders.values.filter { $0.record.state == .waiting }
            .sorted { ($0.record.created, $0.record.id) < ($1.record.created, $1.record.id) }.map(\.record.id)
        next()
    }

    /// Ends the job under way, which begins again at the next start.
    func stop() async {
        isStopping = true
        current?.task.cancel()
        await current?.task.value
        for broadcast in broadcasts.values { broadcast.finish() }
        broadcasts = [:]
    }

    /// Accepts a job.
    ///
    /// - Parameters:
    ///   - kind: What is to be done.
    ///   - owner: Whose job it is.
    ///   - isOperator: Whether it is the operator's, whose jobs come first and have no share.
    ///   - input: What the kind of job needs to know.
    /// - Throws: `serviceBusy` when too many wait, `tooManyRequests` when too many of the owner do, and what the store throws.
    func submit(
        kind: String,
        owner: String,
        isOperator: Bool = false,
        input: [String: String]
    ) async throws(EarshotError) -> JobRecord {
        try check(owner, isOperator: isOperator)
        let record = JobRecord(
            id: Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567")),
            kind: kind,
            created: now()
        )
        let order = JobOrder(record: record, owner: owner, isFirst: isOperator, input: input)
        try await keep(order)
        orders[record.id] = order
        queue.append(record.id)
        next()
        return record
    }

    /// Refuses a job that would not be accepted now.
    ///
    /// - Throws: `serviceBusy` when too many wait, `tooManyRequests` when too many of the owner do.
    func check(_ owner: String, isOperator: Bool) throws(EarshotError) {
        guard isOperator || queue.count < limits.waiting else {
            throw EarshotError(.serviceBusy, "\(queue.count) jobs wait already: try again when some are done.")
        }
        guard isOperator || queue.count(where: { orders[$0]?.owner == owner }) < limits.client else {
            throw EarshotError(
                .tooManyRequests,
                "\(limits.client) jobs of client \(owner) wait already: try again when some are done."
            )
        }
    }

    /// A job of somebody; nothing when there is none. The operator sees all.
    func job(_ id: String, for owner: String?) -> JobRecord? {
        guard let order = orders[id], owner == nil || order.owner == owner else { return nil }
        return order.record
    }

    /// A job with what it is to do; `nil` if there is none.
    func order(_ id: String) -> JobOrder? { orders[id] }

    /// All jobs that are remembered, in no order.
    var allOrders: [JobOrder] { Array(orders.values) }

    /// Forgets a job that is over.
    func forget(_ id: String) async throws(EarshotError) {
        guard orders[id]?.record.state.isFinal == true else { return }
        orders[id] = nil
        try await store.setValue(nil, for: prefix + id)
    }

    /// The jobs of somebody, the latest first.
    func jobs(for owner: String?) -> [JobRecord] {
        orders.values.filter { owner == nil || $0.owner == owner }.map(\.record)
            .sorted { ($0.created, $0.id) > ($1.created, $1.id) }
    }

    /// How much runs and how much waits.
    var load: (running: Int, waiting: Int) { (current == nil ? 0 : 1, queue.count) }

    /// Gives a job up.
    func cancel(_ id: String) async throws(EarshotError) {
        if current?.id == id {
            givenUp.insert(id)
            current?.task.cancel()
        } else if let place = queue.firstIndex(of: id) {
            queue.remove(at: place)
            try await finish(id, .cancelled)
        }
    }

    /// How far a job is, now and until it is over.
    func events(_ id: String) -> AsyncStream<JobRecord> {
        guard let record = orders[id]?.record else { return AsyncStream { $0.finish() } }
        let broadcast =
            broadcasts[id]
            ?? EventBroadcast(replay: .latest, buffering: .bufferingNewest(16), initial: record)
        if record.state.isFinal || isStopping { broadcast.finish() } else { broadcasts[id] = broadcast }
        return broadcast.events
    }

    // MARK: - Work

    private func next() {
        guard current == nil, !isStopping, let worker, !queue.isEmpty else { return }
        let id = queue.remove(at: place())
        guard var order = orders[id] else { return next() }
        order.record.state = .running
        orders[id] = order
        send(order.record)
        let running = order
        current = (
            id,
            Task {
                let outcome: Result<String?, EarshotError>
                do throws(EarshotError) {
                    outcome = .success(
                        try await worker(running) { progress in Task { await self.advance(id, progress) } }
                    )
                } catch {
                    outcome = .failure(error)
                }
                await self.complete(id, outcome)
            }
        )
    }

    /// Which of those that wait is next: the operator's first, then by turns of their owners.
    private func place() -> Int {
        let ranked = queue.indices.map { index in
            let order = orders[queue[index]]
            let isFirst = order?.isFirst == true
            return (isFirst ? 0 : 1, order.flatMap { lastTurns[$0.owner] } ?? 0, index)
        }
        let next = ranked.min { $0 < $1 }?.2 ?? queue.startIndex
        if let owner = orders[queue[next]]?.owner {
            turns += 1
            lastTurns[owner] = turns
            // Who waits no more begins anew.
            let waiting = Set(queue.compactMap { orders[$0]?.owner })
            lastTurns = lastTurns.filter { waiting.contains($0.key) }
        }
        return next
    }

    private func advance(_ id: String, _ progress: Double) {
        guard var record = orders[id]?.record, record.state == .running else { return }
        let progress = min(max(progress, record.progress), 1)
        // Listeners need not hear of every byte.
        guard progress - record.progress >= 0.01 || progress == 1 else { return }
        record.progress = progress
        orders[id]?.record = record
        send(record)
    }

    private func complete(_ id: String, _ outcome: Result<String?, EarshotError>) async {
        // What was done before it could be given up is done.
        let isCancelled = givenUp.remove(id) != nil
        current = nil
        // What a shutdown interrupts is still in the store as it was, and begins again.
        if isStopping, !isCancelled, case .failure(let error) = outcome, error.code == .cancelled { return }
        switch outcome {
        case .failure where isCancelled: await over(id, .cancelled)
        case .success(let result):
            orders[id]?.record.result = result
            orders[id]?.record.progress = 1
            await over(id, .done)
        case .failure(let error):
            orders[id]?.record.error = Failure(error).error
            await over(id, .failed)
        }
        next()
    }

    private func over(_ id: String, _ state: JobRecord.State) async {
        do {
            try await finish(id, state)
        } catch {
            logger.error("A job's end could not be kept", metadata: ["job": "\(id)", "reason": "\(error.message)"])
        }
    }

    private func finish(_ id: String, _ state: JobRecord.State) async throws(EarshotError) {
        guard var order = orders[id] else { return }
        order.record.state = state
        order.record.finished = now()
        orders[id] = order
        send(order.record)
        broadcasts.removeValue(forKey: id)?.finish()
        try await keep(order)
        let over = orders.values.filter { $0.record.state.isFinal }
            .sorted { ($0.record.finished ?? .distantPast) > ($1.record.finished ?? .distantPast) }
        // Whoever has many loses the oldest of them, and nobody else's.
        let own = over.filter { $0.owner == order.owner }.dropFirst(limits.clientMemory)
        for old in own + over.dropFirst(limits.memory) {
            orders[old.record.id] = nil
            try await store.setValue(nil, for: prefix + old.record.id)
        }
    }

    private func send(_ record: JobRecord) { broadcasts[record.id]?.send(record) }

    private func keep(_ order: JobOrder) async throws(EarshotError) {
        do {
            try await store.setValue(try ServiceAPI.encoder().encode(order), for: prefix + order.record.id)
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "A job could not be kept.", cause: error)
        }
    }
}
