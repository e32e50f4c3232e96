#if Service
    package import ArgumentParser
    import EarshotBuckets
    package import EarshotCore
    package import EarshotNodes
    package import EarshotPostgreSQL
    import Foundation

    /// The database and the bucket that nodes share.
    package struct NodeOptions: ParsableArguments {
        @Option(
            name: .long,
            help: "The database in PostgreSQL, as postgresql://user@host/name. Without it EARSHOT_DATABASE."
        )
        package var database: String?

        @Option(name: .long, help: "The bucket, as https://HOST/BUCKET. Without it EARSHOT_BUCKET.")
        package var bucket: String?

        package init() {}

        /// Connects to the database.
        ///
        /// - Parameters:
        ///   - access: Says what happens if there is no service in it.
        ///   - part: The part that is used; `nil` if any will do.
        /// - Throws: `configurationInvalid` if none is named, `storeUnavailable`.
        package func pool(
            _ access: DatabaseAccess,
            for part: PostgreSQLPart? = nil
        ) async throws(EarshotError) -> PostgreSQLPool {
            let address = database ?? ProcessInfo.processInfo.environment["EARSHOT_DATABASE"]
            guard let options = PostgreSQLOptions(ifAddress: address) else {
                throw EarshotError(
                    .configurationInvalid,
                    "Name the database that nodes share: --database postgresql://user@host/name, or EARSHOT_DATABASE."
                )
            }
            return try await DatabaseAccess.pool(options, access, for: part)
        }

        /// The bucket.
        ///
        /// - Throws: `configurationInvalid` if none is named, or it has no keys.
        package func objects() throws(EarshotError) -> any ObjectStore {
            let environment = ProcessInfo.processInfo.environment
            guard let address = bucket ?? environment["EARSHOT_BUCKET"], !address.isEmpty else {
                throw EarshotError(
                    .configurationInvalid,
                    "Name the bucket that nodes share: --bucket https://HOST/BUCKET, or EARSHOT_BUCKET."
                )
            }
            let region = environment["EARSHOT_BUCKET_REGION"]
            return S3ObjectStore(try S3Settings(address: address, region: region, environment: environment))
        }
    }
#endif
