#if Service
    package import EarshotCore
    package import EarshotPostgreSQL
#endif

/// Says what happens if there is no database where a command looks for it.
package enum DatabaseAccess: Sendable {
    /// It is not made.
    case existing
    /// It is made.
    case making
}

#if Service
    extension DatabaseAccess {
        /// Connections to the database of a service.
        ///
        /// - Throws: `configurationInvalid` if it is no address of a database in PostgreSQL, and what ``pool(_:_:for:)`` of options throws.
        package static func pool(
            _ address: String,
            _ access: Self,
            for part: PostgreSQLPart? = nil
        ) async throws(EarshotError) -> PostgreSQLPool {
            guard let options = PostgreSQLOptions(ifAddress: address) else {
                throw EarshotError(
                    .configurationInvalid,
                    "A database has an address such as postgresql://user@host/name; another one was given: check --database and "
                        + "EARSHOT_DATABASE."
                )
            }
            return try await pool(options, access, for: part)
        }

        /// Connections to the database of a service.
        ///
        /// - Parameters:
        ///   - options: The database.
        ///   - access: Says what happens if it has no data. Nothing is made here: the stores that are opened with the connections do.
        ///   - part: The part that is used; `nil` if any will do. A store makes its part where it is not there, so whoever only reads asks
        ///     for it before.
        ///   - observer: Is told of each piece of work that ended, on any thread.
        /// - Throws: `storeUnavailable` if it cannot be reached, data was moved into it in part, or what is to be there is not.
        package static func pool(
            _ options: PostgreSQLOptions,
            _ access: Self,
            for part: PostgreSQLPart? = nil,
            observer: (@Sendable (PostgreSQLWork) -> Void)? = nil
        ) async throws(EarshotError) -> PostgreSQLPool {
            let pool = try await PostgreSQLPool.connected(options, observer: observer)
            if let source = try await PostgreSQLMigrationDatabase.origin(pool) {
                throw unfinished(options.name, source)
            }
            guard access == .existing else { return pool }
            guard try await PostgreSQLMigrations.wereRun(in: pool) else { throw absent("service", options) }
            guard let part, try await !part.exists(in: pool) else { return pool }
            switch part {
            case .music: throw absent("music", options, "bring some there with `earshot import`")
            case .guide: throw absent("guide", options, "bring one there with `earshot epg import`")
            case .catalogs: throw absent("shared catalog", options, "make one with `earshot catalog create`")
            default: throw absent("service", options)
            }
        }

        private static func absent(
            _ what: String,
            _ options: PostgreSQLOptions,
            _ origin: String = "begin one with `earshot serve --database`"
        ) -> EarshotError {
            EarshotError(
                .storeUnavailable,
                "There is no \(what) in \(options.name): \(origin), or name another database."
            )
        }

        /// The failure of using databases into which others were moved in part.
        package static func unfinished(_ name: String, _ source: String) -> EarshotError {
            EarshotError(
                .storeUnavailable,
                "The migration of data into \(name) is incomplete: repeat `earshot admin migrate-data \(source) \(name)`."
            )
        }
    }
#endif
