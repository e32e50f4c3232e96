import CPostgreSQL
import EarshotCore
import Foundation

/// Waiting for answers.
///
/// A server ends statements itself, at their limit or when it is asked. One that is stopped, or whose packets are lost, ends none, and libpq
/// would wait for it for ever. Nor does a limit of the server end a `COMMIT` that waits for a synchronous standby.
extension PostgreSQLConnection {
    /// The time that a server has for ending a statement which it was asked to end, in seconds.
    static let grace = 5.0
    /// The time after which a connection looks whether its work was canceled, in milliseconds.
    private static let slice: Int32 = 100

    /// The time in which a statement is answered, in seconds: its limit at the server, and a grace.
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
                // Each of several statements has a limit of its own.
                begin = clock.now.seconds
            }
        } catch {
            // A server that goes down says so before it closes the connection.
            guard !error.isGivenUp, let last, PQresultStatus(last) == PGRES_FATAL_ERROR else {
                PQclear(last)
                throw error
            }
            return last
        }
    }

    /// Waits until all is sent and a result can be taken.
    private func waitForResult(since begin: Double, _ seconds: Double) throws(PostgreSQLFailure) {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            guard unsent > 0 || PQisBusy(handle) == 1 else { return }
            let end = cancellation?.time.map { min(begin + seconds, max(begin, $0) + Self.grace) } ?? begin + seconds
            guard clock.now.seconds < end else { throw giveUp() }
            let events = Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0)
            var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            // A signal ends waiting too, and there may be no socket any more.
            guard descriptor.fd < 0 || poll(&descriptor, 1, Self.slice) > 0 else { continue }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    private func lost() -> PostgreSQLFailure {
        PostgreSQLFailure(state: "", message: Self.message(of: handle), isConnectionLost: true)
    }

    /// Closes the connection without a word: the server does not listen.
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
