import CPostgreSQL

/// The client library of PostgreSQL.
package enum PostgreSQLLibrary {
    /// The version that is loaded, for example `15.13`.
    package static var version: String {
        let number = PQlibVersion()
        return "\(number / 10_000).\(number % 10_000)"
    }
}
