import EarshotAPI
import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation

/// Keeps jobs as values of the store of clients: `job/…`, `tracklist/…`.
struct AccountJobArchive: JobArchive {
    /// The stored form of a job.
    private struct Value: Codable {
        var record: JobRecord
        var owner: String
        var isFirst: Bool?
        /// The data folder that the job needs; `nil` if it needs none, or an earlier version wrote it.
        var place: PlaceID?
        var input: [String: String]
    }

    private let accounts: any AccountStore
    private let queues: [String]

    /// - Parameters:
    ///   - accounts: The store of clients.
    ///   - queues: The queues whose jobs are kept.
    init(_ accounts: any AccountStore, queues: [String]) { (self.accounts, self.queues) = (accounts, queues) }

    private static func name(_ id: String, _ queue: String) -> String { "\(queue)/\(id)" }

    func jobs() async throws(EarshotError) -> [Job] {
        var jobs: [Job] = []
        for queue in queues {
            for name in try await accounts.valueNames(beginning: Self.name("", queue)) {
                guard let data = try await accounts.value(name),
                    let value = try? ServiceAPI.decoder().decode(Value.self, from: data)
                else { continue }
                jobs.append(Self.job(value, queue))
            }
        }
        return jobs
    }

    func keep(_ job: Job) async throws(EarshotError) {
        let value = Value(
            record: JobRecord(job),
            owner: job.order.owner,
            isFirst: job.order.isFirst,
            place: job.order.place,
            input: job.order.input
        )
        let data: Data
        do {
            data = try ServiceAPI.encoder().encode(value)
        } catch {
            throw EarshotError(.internalError, "A job could not be kept.", cause: error)
        }
        try await accounts.setValue(data, for: Self.name(job.id, job.order.queue))
    }

    func remove(_ id: String, in queue: String) async throws(EarshotError) {
        try await accounts.setValue(nil, for: Self.name(id, queue))
    }

    /// Moves all jobs to another store: a database that was filled from a folder has them as values.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - place: The data folder for local jobs whose folder an earlier version did not write.
    func move(to store: any JobStore, at place: PlaceID) async throws(EarshotError) {
        for var job in try await jobs().sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) {
            let isLocal = job.order.kind != JobRequest.Kind.addReference.rawValue
            if isLocal, job.order.place == nil { job.order.place = place }
            try await store.adopt(job)
            // After the adoption: if the service ends in between, the next move adopts nothing twice.
            try await remove(job.id, in: job.order.queue)
        }
    }

    private static func job(_ value: Value, _ queue: String) -> Job {
        let record = value.record
        let order = JobOrder(
            queue: queue,
            id: record.id,
            kind: record.kind,
            owner: value.owner,
            isFirst: value.isFirst == true,
            place: value.place,
            input: value.input
        )
        var job = Job(order, created: record.created)
        job.state =
            switch record.state {
            case .waiting: .waiting
            case .running: .running
            case .done: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
        (job.progress, job.result, job.finished) = (record.progress, record.result, record.finished)
        job.failure = record.error.map { Job.Failure(code: $0.code, message: $0.message) }
        return job
    }
}
