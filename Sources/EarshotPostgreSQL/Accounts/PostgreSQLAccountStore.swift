package import EarshotCore
package import EarshotRecognition
package import Foundation

/// Clients, users, quotas and histories of a service in a PostgreSQL database, which several nodes use at the same time.
package final class PostgreSQLAccountStore: AccountStore {
    let pool: PostgreSQLPool

    /// Opens the store, and creates or migrates its tables.
    ///
    /// - Throws: `storeUnavailable` if the server cannot be reached, `storeDamaged` if the database is of a newer version.
    package init(_ pool: PostgreSQLPool) async throws(EarshotError) {
        self.pool = pool
        try await Self.migrations.run(in: pool)
    }

    /// Creates a store over tables that exist.
    init(opened pool: PostgreSQLPool) { self.pool = pool }

    /// The tables. Texts are compared by their bytes, as in SQLite, which the Swift code expects. Entities are text and not `jsonb`, which would
    /// refuse U+0000 and reformat numbers.
    static let migrations = PostgreSQLMigrations(
        "accounts",
        [
            { connection in
                try connection.execute(
                    """
                    CREATE TABLE client (id text COLLATE "C" PRIMARY KEY, json text NOT NULL);
                    CREATE TABLE client_user (
                        id text COLLATE "C" PRIMARY KEY,
                        client text COLLATE "C" NOT NULL REFERENCES client (id) ON DELETE CASCADE,
                        last_entry bigint NOT NULL DEFAULT 0,
                        json text NOT NULL
                    );
                    CREATE INDEX client_user_client ON client_user (client, id);
                    CREATE TABLE history (
                        client_user text COLLATE "C" NOT NULL REFERENCES client_user (id) ON DELETE CASCADE,
                        id bigint NOT NULL,
                        date double precision NOT NULL,
                        kind text NOT NULL,
                        match text NOT NULL,
                        words text COLLATE "C" NOT NULL,
                        latitude double precision,
                        longitude double precision,
                        accuracy double precision,
                        PRIMARY KEY (client_user, id)
                    );
                    CREATE TABLE usage (
                        day text COLLATE "C" NOT NULL,
                        subject text COLLATE "C" NOT NULL,
                        count bigint NOT NULL,
                        PRIMARY KEY (day, subject)
                    );
                    CREATE TABLE owner (
                        kind text COLLATE "C" NOT NULL,
                        id text COLLATE "C" NOT NULL,
                        client text COLLATE "C" NOT NULL REFERENCES client (id) ON DELETE CASCADE,
                        PRIMARY KEY (kind, id)
                    );
                    CREATE INDEX owner_client ON owner (client);
                    CREATE TABLE value (name text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);
                    """
                )
            },
            { connection in try connection.execute("ALTER TABLE usage ADD COLUMN taken bigint NOT NULL DEFAULT 0") },
            { connection in
                // The number of the last batch of each node, so that a repeated batch is not added twice.
                try connection.execute(
                    """
                    CREATE TABLE usage_batch (
                        writer text COLLATE "C" PRIMARY KEY,
                        number bigint NOT NULL,
                        day text COLLATE "C" NOT NULL
                    )
                    """
                )
            },
            // The identifier of the last granted request for uses, so that a repeated request does not take them twice.
            { connection in try connection.execute("ALTER TABLE usage ADD COLUMN taker text COLLATE \"C\"") },
        ]
    )

    static func text(_ value: some Encodable) throws -> String { try JSONEncoder.sorted().text(value) }

    static func value<Value: Decodable>(_ type: Value.Type, _ row: PostgreSQLRow, _ column: String) throws -> Value {
        let text = try row.required(column, row.text)
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw EarshotError(.storeDamaged, "An account cannot be read: restore it from a backup.", cause: error)
        }
    }

    /// Changes an entity of a table atomically: its row is locked when it is read.
    private func update<Value: Codable & Sendable>(
        _ table: String,
        _ id: String,
        _ body: @escaping @Sendable (inout Value) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> Value? {
        try await pool.write { connection in
            guard let row = try connection.row("SELECT json FROM \(table) WHERE id = $1 FOR UPDATE", id) else {
                return nil
            }
            var value = try Self.value(Value.self, row, "json")
            try body(&value)
            try connection.change("UPDATE \(table) SET json = $2 WHERE id = $1", id, try Self.text(value))
            return value
        }
    }

    // MARK: - Clients

    /// Returns a client; `nil` if there is none of this identifier.
    package func client(_ id: String) async throws(EarshotError) -> ServiceClient? {
        try await pool.read { connection in
            try connection.row("SELECT json FROM client WHERE id = $1", id)
                .map { try Self.value(ServiceClient.self, $0, "json") }
        }
    }

    /// Returns all clients, in order of identifiers.
    package func clients() async throws(EarshotError) -> [ServiceClient] {
        try await pool.read { connection in
            try connection.rows("SELECT json FROM client ORDER BY id")
                .map { try Self.value(ServiceClient.self, $0, "json") }
        }
    }

    /// Keeps a client, in place of the one of the same identifier.
    package func put(_ client: ServiceClient) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                "INSERT INTO client (id, json) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET json = excluded.json",
                client.id,
                try Self.text(client)
            )
        }
    }

    /// Keeps a new client.
    package func add(_ client: ServiceClient) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.change(
                "INSERT INTO client (id, json) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
                client.id,
                try Self.text(client)
            ) > 0
        }
    }

    /// Changes a client in one step.
    package func updateClient(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceClient) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceClient? {
        try await update("client", id, body)
    }

    /// Removes a client with its users and their histories.
    @discardableResult
    package func removeClient(_ id: String) async throws(EarshotError) -> Bool {
        try await pool.write { connection in try connection.change("DELETE FROM client WHERE id = $1", id) > 0 }
    }

    // MARK: - Users

    /// Returns a user; `nil` if there is none of this identifier.
    package func user(_ id: String) async throws(EarshotError) -> ServiceUser? {
        try await pool.read { connection in
            try connection.row("SELECT json FROM client_user WHERE id = $1", id)
                .map { try Self.value(ServiceUser.self, $0, "json") }
        }
    }

    /// Returns the users of a client, in order of identifiers.
    package func users(of client: String, offset: Int, limit: Int) async throws(EarshotError) -> [ServiceUser] {
        try await pool.read { connection in
            try connection.rows(
                "SELECT json FROM client_user WHERE client = $1 ORDER BY id LIMIT $2 OFFSET $3",
                client,
                limit,
                offset
            ).map { try Self.value(ServiceUser.self, $0, "json") }
        }
    }

    /// Keeps a user, in place of the one of the same identifier.
    package func put(_ user: ServiceUser) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try Self.lock(user.client, connection, "FOR KEY SHARE")
            try connection.change(
                """
                INSERT INTO client_user (id, client, json) VALUES ($1, $2, $3)
                ON CONFLICT (id) DO UPDATE SET client = excluded.client, json = excluded.json
                """,
                user.id,
                user.client,
                try Self.text(user)
            )
        }
    }

    /// Changes a user in one step.
    package func updateUser(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceUser) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceUser? {
        try await update("client_user", id, body)
    }

    /// Keeps a new user, unless the client has as many as it may.
    package func register(_ user: ServiceUser, limit: Int?) async throws(EarshotError) -> Int? {
        try await pool.write { connection in
            // Concurrent registrations wait, so that each one counts those before it.
            try Self.lock(user.client, connection, "FOR NO KEY UPDATE")
            let count = try Self.userCount(of: user.client, connection)
            if let limit, count >= limit { return nil }
            try connection.change(
                "INSERT INTO client_user (id, client, json) VALUES ($1, $2, $3)",
                user.id,
                user.client,
                try Self.text(user)
            )
            return count + 1
        }
    }

    /// Locks the row of a client.
    ///
    /// - Throws: `entityNotFound`.
    private static func lock(_ client: String, _ connection: PostgreSQLConnection, _ mode: String) throws {
        guard try connection.row("SELECT id FROM client WHERE id = $1 \(mode)", client) != nil else {
            throw EarshotError(.entityNotFound, "There is no client \(client): make it first.")
        }
    }

    /// Returns the number of users of a client.
    package func userCount(of client: String) async throws(EarshotError) -> Int {
        try await pool.read { connection in try Self.userCount(of: client, connection) }
    }

    private static func userCount(of client: String, _ connection: PostgreSQLConnection) throws -> Int {
        try connection.row("SELECT count(*) AS count FROM client_user WHERE client = $1", client)?.integer("count") ?? 0
    }

    /// Removes a user and the user's history.
    @discardableResult
    package func removeUser(_ id: String) async throws(EarshotError) -> Bool {
        try await pool.write { connection in try connection.change("DELETE FROM client_user WHERE id = $1", id) > 0 }
    }

    // MARK: - Usage

    /// Returns the uses of a subject on a day.
    package func usage(of subject: String, on day: String) async throws(EarshotError) -> Int {
        try await pool.read { connection in
            try connection.row("SELECT count FROM usage WHERE day = $1 AND subject = $2", day, subject)?
                .integer("count") ?? 0
        }
    }

    /// Returns the uses of several subjects on several days, in order of days and subjects.
    package func usage(
        beginning prefix: String,
        since first: String
    ) async throws(EarshotError) -> [UsageCount] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT day, subject, count FROM usage WHERE day >= $1 AND starts_with(subject, $2) ORDER BY day, subject
                """,
                first,
                prefix
            ).map { row in
                UsageCount(
                    subject: try row.required("subject", row.text),
                    day: try row.required("day", row.text),
                    count: try row.required("count", row.integer)
                )
            }
        }
    }

    /// Takes uses of a day in one step.
    package func takeUsage(_ request: UsageRequest) async throws(EarshotError) -> (taken: Int, used: Int) {
        // Not durable, because requests wait for this. A crash of the server forgets uses, in the users' favor.
        try await pool.write(isDurable: false) { connection in
            // The column `taken` exists to be returned, because `RETURNING` cannot see the old count. The statement takes as many uses as
            // `UsageRequest.taken(after:)`.
            let row = try connection.row(
                """
                INSERT INTO usage AS old (day, subject, count, taken, taker)
                SELECT $1, $2, least($5, greatest($4, $5 / $6)), least($5, greatest($4, $5 / $6)), $7::text WHERE $5 >= $3
                ON CONFLICT (day, subject) DO UPDATE SET
                    count = old.count + least($5 - old.count, greatest($4, ($5 - old.count) / $6)),
                    taken = least($5 - old.count, greatest($4, ($5 - old.count) / $6)),
                    taker = $7::text
                WHERE $5 - old.count >= $3 AND ($7::text IS NULL OR old.taker IS DISTINCT FROM $7::text)
                RETURNING taken, count
                """,
                request.day,
                request.subject,
                request.least,
                request.most,
                request.limit,
                UsageRequest.divisor,
                request.id
            )
            guard let row else {
                let kept = try connection.row(
                    """
                    SELECT count, CASE WHEN taker = $3::text THEN taken ELSE 0 END AS taken FROM usage WHERE day = $1 AND subject = $2
                    """,
                    request.day,
                    request.subject,
                    request.id
                )
                return (try kept?.integer("taken") ?? 0, try kept?.integer("count") ?? 0)
            }
            return (try row.required("taken", row.integer), try row.required("count", row.integer))
        }
    }

    /// Adds to what was used on a day, once, and forgets days before the one named.
    package func addUsage(_ batch: UsageBatch, forgettingBefore first: String) async throws(EarshotError) {
        // In a fixed order: otherwise two nodes that add at the same moment could deadlock.
        let sorted = batch.uses.sorted { $0.key < $1.key }
        try await pool.write { connection in
            let isNew = try connection.change(
                """
                INSERT INTO usage_batch AS old (writer, number, day) VALUES ($1, $2, $3)
                ON CONFLICT (writer) DO UPDATE SET number = excluded.number, day = excluded.day
                WHERE old.number < excluded.number
                """,
                batch.writer,
                batch.number,
                batch.day
            )
            guard isNew > 0 else { return }
            try connection.change(
                """
                INSERT INTO usage (day, subject, count) SELECT $1, subject, count FROM unnest($2, $3) AS added (subject, count)
                ON CONFLICT (day, subject) DO UPDATE SET count = usage.count + excluded.count
                """,
                batch.day,
                PostgreSQLValue.texts(sorted.map(\.key)),
                PostgreSQLValue.integers(sorted.map(\.value))
            )
            try connection.change("DELETE FROM usage WHERE day < $1", first)
            try connection.change("DELETE FROM usage_batch WHERE day < $1", first)
        }
    }

    // MARK: - Owners

    /// Returns the identifier of the client that a resource belongs to; `nil` if it belongs to none.
    package func owner(of resource: OwnedResource) async throws(EarshotError) -> String? {
        try await pool.read { connection in
            try connection.row(
                "SELECT client FROM owner WHERE kind = $1 AND id = $2",
                resource.kind.rawValue,
                resource.id
            )?.text("client")
        }
    }

    /// Gives a resource to a client.
    package func setOwner(_ client: String?, of resource: OwnedResource) async throws(EarshotError) {
        try await pool.write { connection in
            try connection.change(
                "DELETE FROM owner WHERE kind = $1 AND id = $2",
                resource.kind.rawValue,
                resource.id
            )
            guard let client else { return }
            try connection.change(
                """
                INSERT INTO owner (kind, id, client) SELECT $1, $2, id FROM client WHERE id = $3
                ON CONFLICT (kind, id) DO UPDATE SET client = excluded.client
                """,
                resource.kind.rawValue,
                resource.id,
                client
            )
        }
    }

    // MARK: - Values

    /// Returns a value of the service, such as a secret; `nil` if there is none.
    package func value(_ name: String) async throws(EarshotError) -> Data? {
        try await pool.read { connection in
            try connection.row("SELECT bytes FROM value WHERE name = $1", name)?.bytes("bytes")
        }
    }

    /// Returns the names of the values with a prefix, in order.
    package func valueNames(beginning prefix: String) async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            try connection.rows("SELECT name FROM value WHERE starts_with(name, $1) ORDER BY name", prefix)
                .map { row in try row.required("name", row.text) }
        }
    }

    /// Keeps a value; `nil` removes it.
    package func setValue(_ value: Data?, for name: String) async throws(EarshotError) {
        try await pool.write { connection in
            guard let value else {
                try connection.change("DELETE FROM value WHERE name = $1", name)
                return
            }
            try connection.change(
                "INSERT INTO value (name, bytes) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
                name,
                value
            )
        }
    }

    /// Keeps a value in place of the one that was read.
    package func replaceValue(
        _ old: Data?,
        with new: Data,
        for name: String
    ) async throws(EarshotError) -> Data? {
        try await pool.write { connection in
            // The statement waits for a row that another transaction is changing, and compares its new value.
            let row =
                if let old {
                    try connection.row(
                        """
                        UPDATE value SET bytes = CASE WHEN bytes = $2 THEN $3 ELSE bytes END WHERE name = $1
                        RETURNING bytes
                        """,
                        name,
                        old,
                        new
                    )
                } else {
                    try connection.row(
                        """
                        INSERT INTO value (name, bytes) VALUES ($1, $2)
                        ON CONFLICT (name) DO UPDATE SET bytes = value.bytes RETURNING bytes
                        """,
                        name,
                        new
                    )
                }
            return try row?.bytes("bytes")
        }
    }

    /// Returns and removes a value in one step.
    package func takeValue(_ name: String) async throws(EarshotError) -> Data? {
        try await pool.write { connection in
            try connection.row("DELETE FROM value WHERE name = $1 RETURNING bytes", name)?.bytes("bytes")
        }
    }
}
