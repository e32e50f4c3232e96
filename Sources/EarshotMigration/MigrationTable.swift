package import EarshotCore

/// A table as both databases tell of it, whatever the form in which they keep it.
package struct MigrationTable: Hashable, Sendable {
    /// A column.
    package struct Column: Hashable, Sendable {
        package let name: String
        package let type: MigrationType
    }

    /// The store that has the table.
    package enum Part: String, CaseIterable, Sendable {
        case accounts, pieces, playlog, fingerprints, guide, music
    }

    package let part: Part
    /// The name, unique among all tables.
    package let name: String
    package let columns: [Column]
    /// The number of columns, from the first, that tell records apart. Records come in the order of these, texts and bytes by their bytes.
    package let keyLength: Int
    /// The most records that are read and written together.
    package var batch: Int
    /// `true` if the records are figures of the store, such as the last number that was given. They exist from the beginning, and are
    /// replaced.
    package let isFigures: Bool

    /// A table.
    ///
    /// - Parameters:
    ///   - part: The store that has it.
    ///   - name: The name.
    ///   - columns: The names of the columns with a letter each: `i` for integers, `r` for numbers, `t` for texts, `b` for bytes.
    ///   - key: The number of columns that tell records apart.
    ///   - batch: The most records that are read together.
    ///   - isFigures: `true` if the records exist from the beginning, and are replaced.
    init(
        _ part: Part,
        _ name: String,
        _ columns: String,
        key: Int = 1,
        batch: Int = 2_000,
        isFigures: Bool = false
    ) {
        self.part = part
        self.name = name
        self.columns = columns.split(separator: " ").map { column in
            let parts = column.split(separator: ":")
            let type: MigrationType =
                switch parts.last {
                case "i": .integer
                case "r": .real
                case "b": .bytes
                default: .text
                }
            return Column(name: String(parts[0]), type: type)
        }
        (keyLength, self.batch, self.isFigures) = (key, batch, isFigures)
    }

    /// Returns the key of a record.
    func key(of record: MigrationRecord) -> MigrationRecord { Array(record.prefix(keyLength)) }
}

extension MigrationRecord {
    /// Returns the text of a column.
    ///
    /// - Throws: `storeDamaged` if the record has none.
    package func text(_ column: String, of table: MigrationTable) throws(EarshotError) -> String {
        guard let place = table.columns.firstIndex(where: { $0.name == column }), case .text(let text) = self[place]
        else {
            throw EarshotError(
                .storeDamaged,
                "A record of \(table.name) has no \(column): restore the database from a backup."
            )
        }
        return text
    }

    /// Returns the number of a column.
    ///
    /// - Throws: `storeDamaged` if the record has none.
    package func integer(_ column: String, of table: MigrationTable) throws(EarshotError) -> Int {
        guard let place = table.columns.firstIndex(where: { $0.name == column }),
            case .integer(let number) = self[place]
        else {
            throw EarshotError(
                .storeDamaged,
                "A record of \(table.name) has no \(column): restore the database from a backup."
            )
        }
        return number
    }
}
