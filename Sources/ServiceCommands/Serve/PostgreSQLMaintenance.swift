import EarshotCore
import EarshotPostgreSQL
import EarshotServer
import Foundation

/// The maintenance by a service of databases that PostgreSQL cares for.
struct PostgreSQLMaintenance: StoreMaintenance {
    let database: PostgreSQLOptions
    let folder: DataFolder

    /// - Throws: Always `requestInvalid`.
    func backUp(to target: URL, progress: @escaping @Sendable (Double) -> Void) async throws(EarshotError) {
        throw Self.refused(database)
    }

    func faults() async throws(EarshotError) -> [String] { try await folder.fingerprintIndexFaults() }

    static func refused(_ database: PostgreSQLOptions) -> EarshotError {
        EarshotError(
            .requestInvalid,
            "The data is in PostgreSQL (\(database.name)): copy it with pg_dump, and put it back with pg_restore."
        )
    }
}
