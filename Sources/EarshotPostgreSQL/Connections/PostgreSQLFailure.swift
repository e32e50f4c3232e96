import EarshotCore
import Foundation

/// A statement that PostgreSQL refused, or a connection that was lost.
package struct PostgreSQLFailure: Error, Sendable {
    /// The SQLSTATE, five characters; empty for a failure of the connection.
    package let state: String
    package let message: String
    /// `true` if the connection cannot be used any more.
    let isConnectionLost: Bool
    /// `true` if the connection was closed because the server did not answer in time. Another attempt would take as long.
    var isGivenUp = false

    /// `true` if the transaction lost a race against another one, so that it may succeed when it is repeated (appendix A of PostgreSQL's manual:
    /// `serialization_failure`, `deadlock_detected`).
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// `true` if the server cannot be written to any more: it shuts down, or has become a standby (`read_only_sql_transaction`).
    var isServerGone: Bool {
        isConnectionLost || state.hasPrefix("08") || ["57P01", "57P02", "57P03", "25006"].contains(state)
    }

    /// The error for clients of the service. The message of the server, which may name hosts and statements, is only in the cause.
    var error: EarshotError {
        let (code, sentence): (EarshotError.Code, String) =
            switch state {
            case _ where isServerGone:
                (.storeUnavailable, "cannot be reached: check that its server runs; try again")
            case "40001", "40P01", "55P03": (.storeUnavailable, "is being changed by others: try again")
            case "57014": (.timedOut, "took too long: try again")
            case "53100", "53200", "53300", "53400":
                (.storeUnavailable, "is out of room, memory or connections: give its server more")
            case "28000", "28P01", "3D000", "42501":
                (.configurationInvalid, "refuses its user: check the user, the password, the database, and its rights")
            case "22021": (.requestInvalid, "takes no text with a character U+0000: leave it out")
            case "XX001", "XX002": (.storeDamaged, "is damaged: restore it from a backup")
            default: (.internalError, "refused a statement: report this, with the log")
            }
        return EarshotError(code, "The PostgreSQL database \(sentence).", cause: self)
    }

    /// Returns the error of the first connection for the operator, with the message of libpq.
    func opening(_ options: PostgreSQLOptions) -> EarshotError {
        let said = message.split(separator: "\n").first.map(String.init) ?? "no reason was given"
        // libpq repeats an address that it cannot parse, with the password.
        let reason = said.replacingOccurrences(of: options.address, with: options.name)
        return EarshotError(
            .storeUnavailable,
            "The PostgreSQL database \(options.name) cannot be opened (\(reason)): check that the server runs, and the address with "
                + "its user, password and database.",
            cause: self
        )
    }
}
