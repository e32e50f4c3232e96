import CPostgreSQL
import EarshotCore
import Foundation

/// A connection to a PostgreSQL server. Methods block; all calls are made on the serial queue of its slot in a ``PostgreSQLPool``.
package final class PostgreSQLConnection {
    /// The most statements that a connection keeps prepared.
    private static let preparedLimit = 256

    let handle: OpaquePointer
    let options: PostgreSQLOptions
    let clock: MediaClock
    private var prepared: [String: String] = [:]
    /// The cancellation of the work that uses the connection; `nil` for work that cannot be canceled.
    var cancellation: StatementCancellation?
    /// `true` if the connection was closed because the server did not answer in time.
    var isGivenUp = false
    /// Runs before each statement; tests make failures by it.
    var interference: (@Sendable (PostgreSQLConnection) throws(PostgreSQLFailure) -> Void)?

    /// Connects.
    ///
    /// - Throws: A failure whose connection is lost.
    init(_ options: PostgreSQLOptions, clock: MediaClock = .system) throws(PostgreSQLFailure) {
        // The address comes last, so that its parameters override these.
        let standard = [
            ("application_name", "earshot"), ("connect_timeout", "2"), ("tcp_user_timeout", "5000"),
            ("keepalives", "1"),
            ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("target_session_attrs", "read-write"), ("client_encoding", "UTF8"), ("dbname", options.address),
        ]
        let keys = standard.map { strdup($0.0) } + [nil]
        let values = standard.map { strdup($0.1) } + [nil]
        defer { for pointer in keys + values { free(pointer) } }
        let connection = keys.map { UnsafePointer($0) }.withUnsafeBufferPointer { keys in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(keys.baseAddress, values.baseAddress, 1)
            }
        }
        guard let connection else {
            throw PostgreSQLFailure(state: "", message: "out of memory", isConnectionLost: true)
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            let message = Self.message(of: connection)
            PQfinish(connection)
            throw PostgreSQLFailure(state: "", message: message, isConnectionLost: true)
        }
        (handle, self.options, self.clock) = (connection, options, clock)
        // Nonblocking, because sending can wait for the server too: a parameter may be larger than the socket's buffer.
        _ = PQsetnonblocking(connection, 1)
        // Notices are dropped: libpq would print them to standard error.
        _ = PQsetNoticeReceiver(connection, { _, _ in }, nil)
        do {
            // `jit` is off, because compiling takes longer than any of these statements runs.
            try execute(
                """
                SET statement_timeout = \(options.statementTime); SET lock_timeout = \(options.lockTime);
                SET idle_in_transaction_session_timeout = \(options.statementTime); SET TIME ZONE 'UTC'; SET jit = off
                """
            )
        } catch {
            // All members are set, so `deinit` closes the connection.
            throw PostgreSQLFailure(state: error.state, message: error.message, isConnectionLost: true)
        }
    }

    deinit { PQfinish(handle) }

    /// Shuts the socket down below libpq, as a broken network would.
    func cut() { _ = shutdown(PQsocket(handle), Int32(SHUT_RDWR)) }

    /// Rolls back the transaction that is open, if there is one.
    ///
    /// - Returns: `true` if the connection is free for the next transaction.
    func endTransaction() -> Bool {
        guard !isGivenUp else { return false }
        if PQtransactionStatus(handle) != PQTRANS_IDLE {
            PQclear(try? answer(within: Self.grace) { PQsendQuery($0, "ROLLBACK") })
        }
        return PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Returns an object that asks the server to end the running statement; `nil` if the connection is closed.
    func canceller() -> PostgreSQLCanceller? { PQgetCancel(handle).map(PostgreSQLCanceller.init) }

    /// Runs statements without parameters, separated by semicolons.
    package func execute(_ sql: String) throws(PostgreSQLFailure) {
        try interfere()
        let result = try answer { PQsendQuery($0, sql) }
        defer { PQclear(result) }
        _ = try checked(result)
    }

    /// Commits the transaction. This is not canceled: the server would then commit without its standby, and report success.
    ///
    /// - Throws: A failure whose connection is lost if the outcome is unknown: a server without its synchronous standby commits when the standby
    ///   is back.
    func commit() throws(PostgreSQLFailure) {
        guard cancellation?.end() ?? true else {
            throw PostgreSQLFailure(state: "57014", message: "the task was canceled", isConnectionLost: false)
        }
        try interfere()
        let result = try answer(within: options.commitSeconds) { PQsendQuery($0, "COMMIT") }
        defer { PQclear(result) }
        _ = try checked(result)
    }

    /// Runs a statement with parameters `$1`, `$2` and so on.
    ///
    /// - Returns: The rows.
    @discardableResult
    package func rows(
        _ sql: String,
        _ parameters: (any PostgreSQLParameter)?...
    ) throws(PostgreSQLFailure) -> [PostgreSQLRow] {
        try run(sql, parameters.map { $0?.parameter ?? .null }).rows
    }

    /// Runs a statement that gives at most one row.
    package func row(
        _ sql: String,
        _ parameters: (any PostgreSQLParameter)?...
    ) throws(PostgreSQLFailure) -> PostgreSQLRow? {
        try run(sql, parameters.map { $0?.parameter ?? .null }).rows.first
    }

    /// Runs a statement that changes rows.
    ///
    /// - Returns: The number of rows that it changed.
    @discardableResult
    package func change(
        _ sql: String,
        _ parameters: (any PostgreSQLParameter)?...
    ) throws(PostgreSQLFailure) -> Int {
        try run(sql, parameters.map { $0?.parameter ?? .null }).changed
    }

    /// Runs a statement with a list of parameters.
    package func run(
        _ sql: String,
        _ parameters: [PostgreSQLValue]
    ) throws(PostgreSQLFailure) -> (rows: [PostgreSQLRow], changed: Int) {
        try interfere()
        let name = try prepare(sql, parameters)
        let bytes = parameters.map(\.bytes)
        let lengths = bytes.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: bytes.count)
        let result = try answer { handle in
            Self.withPointers(to: bytes) { values in
                PQsendQueryPrepared(handle, name, Int32(bytes.count), values.baseAddress, lengths, formats, 1)
            }
        }
        defer { PQclear(result) }
        let checked = try checked(result)
        let changed = PQcmdTuples(checked).flatMap { Int(String(cString: $0)) } ?? 0
        return (Self.rows(of: checked), changed)
    }

    // MARK: - Notifications

    /// Tells all who listen to a channel, once the transaction is kept.
    ///
    /// - Parameters:
    ///   - channel: The channel; at most 63 bytes.
    ///   - payload: A hint; at most 7,999 bytes, or the transaction fails.
    package func notify(_ channel: String, _ payload: String) throws(PostgreSQLFailure) {
        try rows("SELECT pg_notify($1, $2)", channel, payload)
    }

    /// Listens to a channel from now on.
    func listen(_ channel: String) throws(PostgreSQLFailure) {
        // An identifier cannot be a parameter, so it is quoted.
        try execute("LISTEN \"\(channel.replacingOccurrences(of: "\"", with: "\"\""))\"")
    }

    /// Stops listening to a channel.
    func unlisten(_ channel: String) throws(PostgreSQLFailure) {
        try execute("UNLISTEN \"\(channel.replacingOccurrences(of: "\"", with: "\"\""))\"")
    }

    /// Waits until there are notifications, or until a descriptor can be read.
    ///
    /// - Parameter waker: The descriptor; negative for none, in which case this returns after a second at the latest.
    /// - Returns: The notifications that have come, in order.
    /// - Throws: A failure whose connection is lost.
    func notifications(orUntilReadable waker: Int32) throws(PostgreSQLFailure) -> [PostgreSQLNotification] {
        // Notifications that came with the answer to a statement are in libpq already, not in the socket.
        let present = takeNotifications()
        guard present.isEmpty else { return present }
        var descriptors = [
            pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
            pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&descriptors, nfds_t(descriptors.count), waker < 0 ? 1_000 : -1)
        // A signal ends the wait too: the caller waits again.
        guard count > 0, descriptors[0].revents != 0 else { return [] }
        guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else {
            throw PostgreSQLFailure(state: "", message: Self.message(of: handle), isConnectionLost: true)
        }
        return takeNotifications()
    }

    private func takeNotifications() -> [PostgreSQLNotification] {
        var found: [PostgreSQLNotification] = []
        while let next = PQnotifies(handle) {
            defer { PQfreemem(next) }
            found.append(
                PostgreSQLNotification(
                    channel: next.pointee.relname.map { String(cString: $0) } ?? "",
                    payload: next.pointee.extra.map { String(cString: $0) } ?? ""
                )
            )
        }
        return found
    }

    // MARK: - Statements

    private func interfere() throws(PostgreSQLFailure) { try interference?(self) }

    /// Returns the name of a prepared statement, and prepares it if needed. The key includes the types of the parameters, because `NULL` has none.
    private func prepare(_ sql: String, _ parameters: [PostgreSQLValue]) throws(PostgreSQLFailure) -> String {
        let types = parameters.map(\.type)
        let key = "\(types)\(sql)"
        if let name = prepared[key] { return name }
        if prepared.count >= Self.preparedLimit {
            prepared = [:]
            let result = try answer { PQsendQuery($0, "DEALLOCATE ALL") }
            defer { PQclear(result) }
            _ = try checked(result)
        }
        let name = "s\(prepared.count)"
        let result = try answer { PQsendPrepare($0, name, sql, Int32(types.count), types) }
        defer { PQclear(result) }
        _ = try checked(result)
        prepared[key] = name
        return name
    }

    private func checked(_ result: OpaquePointer?) throws(PostgreSQLFailure) -> OpaquePointer {
        guard let result else {
            throw PostgreSQLFailure(state: "", message: Self.message(of: handle), isConnectionLost: true)
        }
        let status = PQresultStatus(result)
        guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return result }
        // Fields are named by letters, as in postgres_ext.h: `C` is PG_DIAG_SQLSTATE, `M` the message.
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        throw PostgreSQLFailure(
            state: state,
            message: message ?? Self.message(of: handle),
            isConnectionLost: PQstatus(handle) != CONNECTION_OK
        )
    }

    static func message(of handle: OpaquePointer) -> String {
        PQerrorMessage(handle).map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }

    private static func rows(of result: OpaquePointer) -> [PostgreSQLRow] {
        let count = PQntuples(result)
        guard count > 0 else { return [] }
        let columns = PostgreSQLColumns(result)
        return (0..<count).map { row in
            PostgreSQLRow(
                columns: columns,
                cells: columns.types.indices.map { column in
                    guard PQgetisnull(result, row, Int32(column)) == 0,
                        let value = PQgetvalue(result, row, Int32(column))
                    else { return nil }
                    return Data(bytes: value, count: Int(PQgetlength(result, row, Int32(column))))
                }
            )
        }
    }

    /// Calls a function with pointers to the bytes of each parameter.
    private static func withPointers<Value>(
        to parameters: [[UInt8]?],
        _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        // One block of memory for all. The byte 0 behind each parameter gives an empty one an address too: no address means `NULL`.
        var (block, places): ([UInt8], [Int?]) = ([], [])
        for parameter in parameters {
            places.append(parameter == nil ? nil : block.count)
            block += (parameter ?? []) + [0]
        }
        return block.withUnsafeBytes { block in
            let base = block.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = places.map { place in place.flatMap { base?.advanced(by: $0) } }
            return pointers.withUnsafeBufferPointer(body)
        }
    }
}

/// A notification that came on a connection.
struct PostgreSQLNotification: Sendable {
    let channel: String
    let payload: String
}

/// Ends the statement that runs on a connection, from any thread.
final class PostgreSQLCanceller: @unchecked Sendable {
    // libpq promises that PQcancel may be called from any thread.
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQfreeCancel(handle) }

    /// Blocks for as long as it takes to connect.
    func cancel() {
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle, &message, Int32(message.count))
    }
}
