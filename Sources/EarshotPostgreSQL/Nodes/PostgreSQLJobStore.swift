package import EarshotCore
package import EarshotNodes
import Foundation

/// The jobs of a service in a PostgreSQL database, which several nodes take from. Time is the server's.
package final class PostgreSQLJobStore: JobStore {
    private let pool: PostgreSQLPool

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await Self.migrations.run(in: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool) { self.pool = pool }

    /// The tables. `number` is the order of submission, `round` the turn of the owner by ``JobRounds``: the first row of `job_open` is the next
    /// job. Texts that senders choose are in JSON, because `text` refuses U+0000.
    private static let migrations = PostgreSQLMigrations(
        "jobs",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE job (
                        queue text COLLATE "C" NOT NULL,
                        id text COLLATE "C" NOT NULL,
                        number bigint GENERATED ALWAYS AS IDENTITY,
                        owner text COLLATE "C" NOT NULL,
                        is_first boolean NOT NULL,
                        round bigint NOT NULL,
                        place text COLLATE "C",
                        state text COLLATE "C" NOT NULL,
                        created double precision NOT NULL,
                        finished double precision,
                        progress double precision NOT NULL DEFAULT 0,
                        holder text COLLATE "C",
                        fence bigint NOT NULL DEFAULT 0,
                        until timestamptz,
                        is_cancelled boolean NOT NULL DEFAULT false,
                        job_order text NOT NULL,
                        outcome text,
                        PRIMARY KEY (queue, id)
                    );
                    CREATE INDEX job_open ON job (queue, is_first DESC, round, number) WHERE \(isOpen);
                    CREATE INDEX job_over ON job (queue, finished DESC, number DESC) WHERE NOT \(isOpen);
                    CREATE INDEX job_owner ON job (queue, owner, number);
                    """
                )
            }
        ]
    )

    /// The condition of the partial index of open jobs.
    private static let isOpen = "(state IN ('waiting', 'running'))"
    /// The condition of a job that a node still holds. Its parameters are the queue, the identifier, the holder and the fence.
    private static let isHeld = "queue = $1 AND id = $2 AND holder = $3 AND fence = $4 AND state = 'running'"
    /// The server's time in seconds since 1970.
    private static let time = "extract(epoch FROM clock_timestamp())::double precision"
    private static let columns = """
        job_order, outcome, state, created, finished, progress, holder, fence, is_cancelled,
        extract(epoch FROM until - clock_timestamp())::double precision AS seconds
        """

    // MARK: - Submitting

    package func submit(_ order: JobOrder, limits: JobLimits) async throws(EarshotError) -> Job {
        try await pool.write { connection in
            // Concurrent submissions wait, so that each one counts those before it, and numbers are in the order of commits.
            try connection.rows("SELECT pg_advisory_xact_lock(hashtextextended('earshot jobs ' || $1, 0))", order.queue)
            if !order.isFirst {
                try limits.check(Self.load(of: order.queue, owner: order.owner, connection), owner: order.owner)
            }
            guard let row = try Self.insert(order, nil, connection) else {
                throw EarshotError(.internalError, "There is a job \(order.id) already: please report this.")
            }
            return try Self.job(row)
        }
    }

    package func adopt(_ job: Job) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.rows(
                "SELECT pg_advisory_xact_lock(hashtextextended('earshot jobs ' || $1, 0))",
                job.order.queue
            )
            _ = try Self.insert(job.order, job, connection)
        }
    }

    /// Inserts a job. The caller must hold the lock of submissions, so that numbers are in the order of commits.
    ///
    /// - Parameter known: The job as another store has it; `nil` for a new one.
    /// - Returns: The row; `nil` if there is one already.
    private static func insert(
        _ order: JobOrder,
        _ known: Job?,
        _ connection: PostgreSQLConnection
    ) throws -> PostgreSQLRow? {
        let over = known.flatMap { $0.state.isFinal ? $0 : nil }
        let outcome = try over.map { try JSONEncoder.sorted().text(Ending(result: $0.result, failure: $0.failure)) }
        return try connection.row(
            """
            INSERT INTO job (queue, id, owner, is_first, round, place, state, created, finished, progress, job_order, outcome)
            VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, \(time)), $9, $10, $11, $12)
            ON CONFLICT (queue, id) DO NOTHING RETURNING \(columns)
            """,
            order.queue,
            order.id,
            order.owner,
            order.isFirst,
            order.isFirst || over != nil ? 0 : try rounds(of: order, connection).new,
            order.place?.rawValue,
            (over?.state ?? .waiting).rawValue,
            known?.created.timeIntervalSince1970,
            over.map { ($0.finished ?? $0.created).timeIntervalSince1970 },
            over?.progress ?? 0,
            try JSONEncoder.sorted().text(order),
            outcome
        )
    }

    private static func rounds(of order: JobOrder, _ connection: PostgreSQLConnection) throws -> JobRounds {
        let row = try connection.row(
            """
            SELECT max(round) FILTER (WHERE state = 'running') AS begun, min(round) FILTER (WHERE state = 'waiting') AS next,
                max(round) FILTER (WHERE owner = $2) AS last
            FROM job WHERE queue = $1 AND NOT is_first AND \(isOpen)
            """,
            order.queue,
            order.owner
        )
        return JobRounds(
            begun: try row?.integer("begun"),
            next: try row?.integer("next"),
            last: try row?.integer("last")
        )
    }

    package func load(of queue: String, owner: String?) async throws(EarshotError) -> JobLoad {
        try await pool.read { connection in try Self.load(of: queue, owner: owner, connection) }
    }

    private static func load(
        of queue: String,
        owner: String?,
        _ connection: PostgreSQLConnection
    ) throws -> JobLoad {
        let row = try connection.row(
            """
            SELECT count(*) FILTER (WHERE state = 'running') AS running, count(*) FILTER (WHERE state = 'waiting') AS waiting,
                count(*) FILTER (WHERE state = 'waiting' AND owner = $2::text) AS own
            FROM job WHERE queue = $1 AND \(isOpen)
            """,
            queue,
            owner
        )
        guard let row else { return JobLoad() }
        return JobLoad(
            running: try row.required("running", row.integer),
            waiting: try row.required("waiting", row.integer),
            ownerWaiting: try row.required("own", row.integer)
        )
    }

    // MARK: - Holding

    package func claim(
        in queue: String,
        for node: NodeID,
        at place: PlaceID,
        seconds: Double
    ) async throws(EarshotError) -> Job? {
        try await pool.write { connection in
            while true {
                // A row that another node is claiming is skipped. One that was claimed since the statement began is checked again.
                let next = try connection.row(
                    """
                    SELECT id, is_cancelled FROM job
                    WHERE queue = $1 AND \(Self.isOpen) AND (state = 'waiting' OR until <= clock_timestamp())
                        AND (place IS NULL OR place = $2 OR is_cancelled)
                    ORDER BY is_first DESC, round, number LIMIT 1 FOR UPDATE SKIP LOCKED
                    """,
                    queue,
                    place.rawValue
                )
                guard let next else { return nil }
                let id = try next.required("id", next.text)
                guard try !next.required("is_cancelled", next.bool) else {
                    // A canceled job whose lease has ended: its holder is gone and cannot end it.
                    _ = try Self.end(id, queue, .cancelled, connection)
                    continue
                }
                return try connection.row(
                    """
                    UPDATE job SET state = 'running', holder = $3, fence = fence + 1, progress = 0,
                        until = clock_timestamp() + make_interval(secs => $4)
                    WHERE queue = $1 AND id = $2 RETURNING \(Self.columns)
                    """,
                    queue,
                    id,
                    node.rawValue,
                    seconds
                ).map(Self.job)
            }
        }
    }

    package func prolong(_ job: Job, progress: Double, seconds: Double) async throws(EarshotError) -> Job? {
        guard let lease = job.lease else { return nil }
        return try await pool.write { connection in
            try connection.row(
                """
                UPDATE job SET until = clock_timestamp() + make_interval(secs => $5), progress = greatest(progress, $6)
                WHERE \(Self.isHeld) RETURNING \(Self.columns)
                """,
                job.order.queue,
                job.id,
                lease.holder.rawValue,
                lease.fence,
                seconds,
                progress
            ).map(Self.job)
        }
    }

    package func finish(_ job: Job, _ outcome: Job.Outcome) async throws(EarshotError) -> Job? {
        guard let lease = job.lease else { return nil }
        return try await pool.write { connection in
            let row = try connection.row(
                "SELECT id FROM job WHERE \(Self.isHeld) FOR UPDATE",
                job.order.queue,
                job.id,
                lease.holder.rawValue,
                lease.fence
            )
            return row == nil ? nil : try Self.end(job.id, job.order.queue, outcome, connection)
        }
    }

    package func release(_ job: Job) async throws(EarshotError) {
        guard let lease = job.lease else { return }
        _ = try await pool.write { connection in
            try connection.change(
                "UPDATE job SET state = 'waiting', holder = NULL, until = NULL, progress = 0 WHERE \(Self.isHeld)",
                job.order.queue,
                job.id,
                lease.holder.rawValue,
                lease.fence
            )
        }
    }

    // MARK: - Ending

    /// The stored form of the outcome of a job.
    private struct Ending: Codable {
        var result: String?
        var failure: Job.Failure?
    }

    /// Ends a job whose row is locked.
    private static func end(
        _ id: String,
        _ queue: String,
        _ outcome: Job.Outcome,
        _ connection: PostgreSQLConnection
    ) throws -> Job? {
        var ending = Ending()
        let state: Job.State
        switch outcome {
        case .done(let result): (state, ending.result) = (.done, result)
        case .failed(let failure): (state, ending.failure) = (.failed, failure)
        case .cancelled: state = .cancelled
        }
        return try connection.row(
            """
            UPDATE job SET state = $3, outcome = $4, finished = \(time), holder = NULL, until = NULL, is_cancelled = false,
                progress = CASE WHEN $3 = 'done' THEN 1 ELSE progress END
            WHERE queue = $1 AND id = $2 RETURNING \(columns)
            """,
            queue,
            id,
            state.rawValue,
            try JSONEncoder.sorted().text(ending)
        ).map(job)
    }

    package func cancel(_ id: String, in queue: String) async throws(EarshotError) -> Job? {
        try await pool.write { connection in
            let row = try connection.row(
                "SELECT \(Self.columns) FROM job WHERE queue = $1 AND id = $2 FOR UPDATE",
                queue,
                id
            )
            guard let row else { return nil }
            let job = try Self.job(row)
            switch job.state {
            case .waiting: return try Self.end(id, queue, .cancelled, connection)
            case .running:
                return try connection.row(
                    "UPDATE job SET is_cancelled = true WHERE queue = $1 AND id = $2 RETURNING \(Self.columns)",
                    queue,
                    id
                ).map(Self.job)
            case .done, .failed, .cancelled: return job
            }
        }
    }

    package func fail(
        in queue: String,
        exceptAt places: Set<PlaceID>,
        olderThan age: Double,
        _ failure: Job.Failure
    ) async throws(EarshotError) -> [Job] {
        try await pool.write { connection in
            try connection.rows(
                """
                SELECT id FROM job
                WHERE queue = $1 AND \(Self.isOpen) AND (state = 'waiting' OR until <= clock_timestamp())
                    AND place IS NOT NULL AND place <> ALL ($2) AND created <= \(Self.time) - $3
                ORDER BY number FOR UPDATE SKIP LOCKED
                """,
                queue,
                PostgreSQLValue.texts(places.map(\.rawValue)),
                age
            ).compactMap { row in
                try Self.end(try row.required("id", row.text), queue, .failed(failure), connection)
            }
        }
    }

    package func forget(_ id: String, in queue: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change("DELETE FROM job WHERE queue = $1 AND id = $2 AND NOT \(Self.isOpen)", queue, id)
        }
    }

    package func trim(_ queue: String, owner: String, limits: JobLimits) async throws(EarshotError) {
        try await pool.write { connection in
            // An owner with too many jobs loses the oldest of their own.
            try connection.change(
                Self.deletion(of: "AND owner = $2 ORDER BY finished DESC, number DESC OFFSET $3"),
                queue,
                owner,
                limits.ownerMemory
            )
            try connection.change(
                Self.deletion(of: "ORDER BY finished DESC, number DESC OFFSET $2"),
                queue,
                limits.memory
            )
        }
    }

    /// Returns a statement that deletes jobs that are over. Rows that another node is deleting are skipped, so that no node waits.
    private static func deletion(of rows: String) -> String {
        """
        DELETE FROM job WHERE queue = $1 AND id IN (
            SELECT id FROM job WHERE queue = $1 AND id IN (SELECT id FROM job WHERE queue = $1 AND NOT \(isOpen) \(rows))
            FOR UPDATE SKIP LOCKED)
        """
    }

    // MARK: - Reading

    package func job(_ id: String, in queue: String) async throws(EarshotError) -> Job? {
        try await pool.read { connection in
            try connection.row("SELECT \(Self.columns) FROM job WHERE queue = $1 AND id = $2", queue, id).map(Self.job)
        }
    }

    package func jobs(in queue: String, of owner: String?) async throws(EarshotError) -> [Job] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT \(Self.columns) FROM job WHERE queue = $1 AND ($2::text IS NULL OR owner = $2::text) ORDER BY number DESC
                """,
                queue,
                owner
            ).map(Self.job)
        }
    }

    private static func job(_ row: PostgreSQLRow) throws(EarshotError) -> Job {
        var job = Job(
            try value(JobOrder.self, try row.required("job_order", row.text)),
            created: Date(timeIntervalSince1970: try row.required("created", row.double))
        )
        let state = try row.required("state", row.text)
        guard let state = Job.State(rawValue: state) else {
            throw EarshotError(.storeDamaged, "A job has the state \(state), which is not known: use a newer program.")
        }
        job.state = state
        job.finished = try row.double("finished").map { Date(timeIntervalSince1970: $0) }
        job.progress = try row.required("progress", row.double)
        job.isCancelled = try row.required("is_cancelled", row.bool)
        if let holder = try row.text("holder") {
            job.lease = Lease(
                name: job.id,
                holder: NodeID(rawValue: holder),
                fence: try row.required("fence", row.integer),
                seconds: max(0, try row.double("seconds") ?? 0)
            )
        }
        if let outcome = try row.text("outcome") {
            let ending = try value(Ending.self, outcome)
            (job.result, job.failure) = (ending.result, ending.failure)
        }
        return job
    }

    private static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws(EarshotError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw EarshotError(
                .storeDamaged,
                "A job cannot be read: remove its row, or use a newer program.",
                cause: error
            )
        }
    }
}
