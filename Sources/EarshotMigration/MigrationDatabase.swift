package import EarshotCore

/// A database with the tables of a service, from which records are read or to which they are moved.
package protocol MigrationDatabase: Sendable {
    /// The name for messages: a folder, or an address without its password.
    var name: String { get }

    /// Returns the number of records of a table; 0 if its store does not exist.
    func count(_ table: MigrationTable) async throws(EarshotError) -> Int

    /// Returns the records that follow a key, in the order of their keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The key; `nil` for the first records.
    ///   - limit: The most records.
    func records(
        _ table: MigrationTable,
        after key: MigrationRecord?,
        limit: Int
    ) async throws(EarshotError) -> [MigrationRecord]

    /// Returns the last record's key; `nil` for a table without records.
    func lastKey(_ table: MigrationTable) async throws(EarshotError) -> MigrationRecord?

    /// Adds records behind the last one, all or none. A store that is not there is made.
    ///
    /// - Throws: `metadataInvalid` for a record that the database cannot hold.
    func add(_ records: [MigrationRecord], to table: MigrationTable) async throws(EarshotError)

    /// Returns the source of a migration into the database that has not ended; `nil` if there is none.
    func origin() async throws(EarshotError) -> String?

    /// Notes the source of a migration that begins; `nil` when it has ended.
    func setOrigin(_ origin: String?) async throws(EarshotError)

    /// Brings counters in step with the records, once all are there.
    func finish() async throws(EarshotError)
}
