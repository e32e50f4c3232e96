import CPostgreSQL
import EarshotCore
import Foundation

/// Waiting for answers.
///
/// A server ends statements itself, at their limit or when it is asked. One that is stopped, or whose packets are lost, ends none, and libpq
/// would wait for it for ever. Nor does a limit of the server end a `COMMIT` that waits for a synchronous standby.
extension PostgreSQLConnection {
    /// The time that a server has to end a statement after it was asked to, in seconds.
    static let grace = 5.0
    /// The interval at which a waiting connection checks if its work was canceled, in milliseconds.
    private static let slice: Int32 = 100

    /// The longest time for the answer to a statement, in seconds: its limit at the server, plus ``grace``.
    var statementSeconds: Double {
        options.statementTime > 0 ? Double(options.statementTime) / 1_000 + Self.grace : .infinity
    }

    /// Sends a statement, and waits for its last result.
    ///
    /// - Parameters:
    ///   - seconds: The longest time that each statement takes; `nil` for the usual one.
    ///   - send: Calls a function of libpq that sends.
    /// - Throws: A failure whose connection is lost. If the server did not answer in time, the connection is closed.
    func answer(
        within seconds: Double? = nil,
        _ send: (OpaquePointer) -> Int32
    ) throws(PostgreSQLFailure) -> OpaquePointer? {
        let seconds = seconds ?? statementSeconds
        var begin = clock.now.seconds
        guard !isGivenUp, send(handle) == 1 else { throw lost() }
        var last: OpaquePointer?
        do throws(PostgreSQLFailure) {
            while true {
                try waitForResult(since: begin, seconds)
                guard let next = PQgetResult(handle) else { return last }
                PQclear(last)
                last = next
                // The limit of the server is for each of several statements.
                begin = clock.now.seconds
            }
        } catch {
            // A server that shuts down sends its reason before it closes the connection.
            guard !error.isGivenUp, let last, PQresultStatus(last) == PGRES_FATAL_ERROR else {
                PQclear(last)
                throw error
            }
            return last
        }
    }

    /// Waits until all bytes are sent and a result can be taken.
    private func waitForResult(since begin: Double, _ seconds: Double) throws(PostgreSQLFailure) {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            guard unsent > 0 || PQisBusy(handle) == 1 else { return }
            let end = cancellation?.time.map { min(begin + seconds, max(begin, $0) + Self.grace) } ?? begin + seconds
            guard clock.now.seconds < end else { throw giveUp() }
            let events = Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0)
            var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            // 0 for a timeout, −1 for a signal: wait again. A negative descriptor means that libpq has closed the socket.
            guard descriptor.fd < 0 || poll(&descriptor, 1, Self.slice) > 0 else { continue }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    private func lost() -> PostgreSQLFailure {
        PostgreSQLFailure(state: "", message: Self.message(of: handle), isConnectionLost: true)
    }

    /// Closes the connection without telling the server, which does not answer.
    private func giveUp() -> PostgreSQLFailure {
        isGivenUp = true
        cut()
        return PostgreSQLFailure(
            state: "",
            message: "the server did not end a statement in time",
            isConnectionLost: true,
            isGivenUp: true
        )
    }
}
