package import EarshotCore

/// A read or a transaction of a ``PostgreSQLPool`` that ended, for those who measure them.
package struct PostgreSQLWork: Sendable {
    package enum Kind: String, Sendable {
        case read, write
    }

    package let kind: Kind
    /// The time from the call to its end, in seconds, with the time in which it waited for a connection; `nil` if it was refused at once,
    /// because the server is silent.
    package let seconds: Double?
    /// The failure of the database; `nil` if there was none, if the task was canceled, and if the caller's own closure threw.
    package let failure: EarshotError.Code?

    init(_ kind: Kind, seconds: Double?, error: EarshotError?) {
        (self.kind, self.seconds) = (kind, seconds)
        failure = error.flatMap { error in
            guard error.code != .cancelled else { return nil }
            return error.code == .storeUnavailable || error.cause is PostgreSQLFailure ? error.code : nil
        }
    }
}
