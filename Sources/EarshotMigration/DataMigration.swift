import Crypto
package import EarshotCore
import Foundation

/// Moves the data of a service from one database to another, and compares them.
///
/// The source is only read. Records are moved by tables in the order of their keys, some of them in a transaction: a migration that was
/// interrupted goes on behind the last record that the target has.
package struct DataMigration: Sendable {
    /// A table in both databases.
    package struct Outcome: Hashable, Encodable, Sendable {
        package let part: String
        package let table: String
        /// The number of records.
        package let records: Int
        /// The SHA-256 digest of all records, in order.
        package let digest: String
    }

    /// The progress of a migration.
    package struct Progress: Hashable, Sendable {
        /// The share of the work that is done, from 0 to 1.
        package var share: Double
        /// The name of the table whose records are being moved or compared.
        package var table: String
    }

    /// The most bytes of records that are written in a transaction, estimated.
    private static let byteLimit = 8 << 20

    private let source: any MigrationDatabase
    private let target: any MigrationDatabase
    private let tables: [MigrationTable]

    /// A migration.
    ///
    /// - Parameters:
    ///   - source: The database that is read.
    ///   - target: The database that records are added to.
    ///   - tables: The tables, each after those that it refers to.
    package init(
        from source: any MigrationDatabase,
        to target: any MigrationDatabase,
        tables: [MigrationTable] = MigrationTable.all
    ) {
        (self.source, self.target, self.tables) = (source, target, tables)
    }

    /// Moves all records, and compares them.
    ///
    /// - Parameters:
    ///   - origin: The name of the source by which an interrupted migration knows it.
    ///   - progress: Told after each transaction.
    /// - Returns: The tables, as they are in both databases.
    /// - Throws: `destinationExists` for a target with data of its own, `storeDamaged` if the databases differ at the end, `cancelled`.
    package func run(
        origin: String,
        progress: @Sendable (Progress) async -> Void
    ) async throws(EarshotError) -> [Outcome] {
        try await begin(origin)
        var total = 0
        var counts: [MigrationTable: Int] = [:]
        for table in tables {
            counts[table] = try await source.count(table)
            total += counts[table] ?? 0
        }
        // Each record is read three times: to be moved, and in both databases to be compared.
        let all = max(1, total * 3)
        var done = 0
        func report(_ table: MigrationTable) async {
            await progress(Progress(share: min(1, Double(done) / Double(all)), table: table.name))
        }
        for table in tables {
            let before = done
            var key = table.isFigures ? nil : try await target.lastKey(table)
            if key != nil { done += try await target.count(table) }
            await report(table)
            while let records = try await page(of: table, after: key) {
                try await target.add(records, to: table)
                key = records.last.map(table.key)
                done += records.count
                await report(table)
            }
            done = before + (counts[table] ?? 0)
        }
        try await target.finish()
        var outcomes: [Outcome] = []
        for table in tables {
            let before = done
            let moved = try await Self.outcome(of: table, in: source) { count in
                done += count
                await report(table)
            }
            let kept = try await Self.outcome(of: table, in: target) { count in
                done += count
                await report(table)
            }
            // If the source lacks a store, the target may still have figures for it, because all its stores are in one database.
            guard moved == kept || table.isFigures && moved.records == 0 else { throw differ(moved, kept) }
            if moved.records > 0 { outcomes.append(moved) }
            done = before + (counts[table] ?? 0) * 2
        }
        try await target.setOrigin(nil)
        await progress(Progress(share: 1, table: tables.last?.name ?? ""))
        return outcomes
    }

    // MARK: - Steps

    /// Checks that the target is empty, or contains a part of the same source.
    private func begin(_ origin: String) async throws(EarshotError) {
        if let before = try await target.origin() {
            guard before == origin else {
                throw EarshotError(
                    .destinationExists,
                    "\(target.name) holds an unfinished migration from another source: finish that one, or name an empty target."
                )
            }
            return
        }
        for table in tables where !table.isFigures {
            guard try await target.count(table) == 0 else {
                throw EarshotError(
                    .destinationExists,
                    "\(target.name) has data of its own (\(table.name)): name an empty target."
                )
            }
        }
        try await target.setOrigin(origin)
    }

    /// Returns the next records behind a key; `nil` after the last one.
    private func page(
        of table: MigrationTable,
        after key: MigrationRecord?
    ) async throws(EarshotError) -> [MigrationRecord]? {
        guard !Task.isCancelled else {
            throw EarshotError(.cancelled, "The migration was interrupted: repeat the command, and it goes on.")
        }
        // Figures are few, and are replaced together in one page.
        guard !table.isFigures || key == nil else { return nil }
        let records = try await source.records(table, after: key, limit: table.isFigures ? 100 : table.batch)
        guard !records.isEmpty else { return nil }
        var (count, size) = (0, 0)
        for record in records {
            count += 1
            size += record.reduce(0) { $0 + $1.size }
            if size > Self.byteLimit { break }
        }
        return Array(records.prefix(count))
    }

    /// Returns the number and the digest of the records of a table.
    package static func outcome(
        of table: MigrationTable,
        in database: any MigrationDatabase,
        progress: (Int) async -> Void = { _ in }
    ) async throws(EarshotError) -> Outcome {
        var (hash, count, key) = (SHA256(), 0, MigrationRecord?.none)
        while true {
            guard !Task.isCancelled else {
                throw EarshotError(.cancelled, "The comparison was interrupted: repeat the command, and it goes on.")
            }
            let records = try await database.records(table, after: key, limit: table.batch)
            guard let last = records.last else { break }
            var bytes = Data()
            for record in records { for value in record { value.append(to: &bytes) } }
            hash.update(data: bytes)
            (count, key) = (count + records.count, table.key(of: last))
            await progress(records.count)
        }
        let digest = hash.finalize().map { String(format: "%02x", $0) }.joined()
        return Outcome(part: table.part.rawValue, table: table.name, records: count, digest: digest)
    }

    private func differ(_ moved: Outcome, _ kept: Outcome) -> EarshotError {
        let reason =
            moved.records == kept.records
            ? "the records differ" : "the source has \(moved.records) records, the target \(kept.records)"
        return EarshotError(
            .storeDamaged,
            "After the migration \(moved.table) differs: \(reason). Make sure that nothing changes either database, empty the target, and "
                + "repeat the command."
        )
    }
}
