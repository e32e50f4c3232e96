import EarshotCore

/// A statement that PostgreSQL refused, or a connection that was lost.
package struct PostgreSQLFailure: Error, Sendable {
    /// The five characters by which the server tells kinds of failures apart; empty if the failure is the connection's.
    package let state: String
    package let message: String
    /// Whether the connection is of no use any more.
    let isConnectionLost: Bool

    /// Whether the same transaction may succeed when it is repeated: it lost a race against another one (appendix A of PostgreSQL's
    /// manual: `serialization_failure`, `deadlock_detected`).
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// Whether the server is no longer the one to write to: it goes down, or has become a standby (`read_only_sql_transaction`).
    var isServerGone: Bool {
        isConnectionLost || state.hasPrefix("08") || ["57P01", "57P02", "57P03", "25006"].contains(state)
    }

    /// The failure as what the caller is told.
    var error: EarshotError {
        let (code, remedy): (EarshotError.Code, String)
        switch state {
        case _ where isServerGone:
            (code, remedy) = (.storeUnavailable, "check that the server runs and can be reached; try again")
        case "40001", "40P01", "55P03":
            (code, remedy) = (.storeUnavailable, "others change the same rows; try again")
        case "57014": (code, remedy) = (.timedOut, "the server took too long; try again")
        case "53100", "53200", "53300", "53400":
            (code, remedy) = (.storeUnavailable, "the server is out of room, memory or connections")
        case "28000", "28P01", "3D000", "42501":
            (code, remedy) = (.configurationInvalid, "check the user, the password, the database, and its rights")
        case "22021": (code, remedy) = (.requestInvalid, "a text has a character U+0000")
        case "XX001", "XX002": (code, remedy) = (.storeDamaged, "restore it from a backup")
        default: (code, remedy) = (.internalError, "report this")
        }
        let said = message.split(separator: "\n").first.map(String.init) ?? "no reason was given"
        return EarshotError(code, "The PostgreSQL database: \(said): \(remedy).", cause: self)
    }
}
