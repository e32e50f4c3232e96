import EarshotCore
import Foundation

/// A statement that PostgreSQL refused, or a connection that was lost.
package struct PostgreSQLFailure: Error, Sendable {
    /// The five characters by which the server tells kinds of failures apart; empty if the failure is the connection's.
    package let state: String
    package let message: String
    /// Says that the connection is of no use any more.
    let isConnectionLost: Bool
    /// Says that the server did not answer in time, so that the connection was closed. Asking again would take as long.
    var isGivenUp = false

    /// Says that the same transaction may succeed when it is repeated: it lost a race against another one (appendix A of PostgreSQL's
    /// manual: `serialization_failure`, `deadlock_detected`).
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// Says that the server is no longer the one to write to: it goes down, or has become a standby (`read_only_sql_transaction`).
    var isServerGone: Bool {
        isConnectionLost || state.hasPrefix("08") || ["57P01", "57P02", "57P03", "25006"].contains(state)
    }

    /// The failure as callers of the service are told: what the server said names hosts and statements, and stays the cause.
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

    /// The failure of a first connection, as whoever set the address is told: with what libpq said.
    func opening(_ options: PostgreSQLOptions) -> EarshotError {
        let said = message.split(separator: "\n").first.map(String.init) ?? "no reason was given"
        // Of an address that it cannot read libpq repeats all, with the password.
        let reason = said.replacingOccurrences(of: options.address, with: options.name)
        return EarshotError(
            .storeUnavailable,
            "The PostgreSQL database \(options.name) cannot be opened (\(reason)): check that the server runs, and the address with "
                + "its user, password and database.",
            cause: self
        )
    }
}
