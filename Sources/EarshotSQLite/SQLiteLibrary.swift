import GRDB

/// The SQLite library that this program has loaded.
package enum SQLiteLibrary {
    /// The version that is loaded, for example `3.40.1`; `nil` if it makes no database in memory.
    package static var version: String? {
        try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
    }
}
