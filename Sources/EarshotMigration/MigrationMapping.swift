/// The columns in which a database keeps a table, and statements of them.
///
/// `$` in what is written stands for the value, and `#json` for the value of the column `json`.
package struct MigrationMapping: Sendable {
    /// A column as it is kept.
    package struct Column: Sendable {
        /// The column by which records are in order.
        package let name: String
        /// The expression that gives the value.
        package let read: String
        /// The expression that is written.
        package let write: String

        /// A column.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - read: The expression that gives the value; `nil` for the column.
        ///   - write: The expression that is written, with `$` for the value.
        package init(_ name: String, read: String? = nil, write: String = "$") {
            (self.name, self.read, self.write) = (name, read ?? name, write)
        }
    }

    package let table: MigrationTable
    /// The rows: a table, or a join, or a query in parentheses with a name.
    package let source: String
    private let columns: [Column]
    /// The columns that only this database has, with the expressions that are written.
    private let own: [(name: String, write: String)]

    /// A mapping.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - source: The rows; `nil` for a table of the same name.
    ///   - columns: The columns that have another form, by their names in the table.
    ///   - own: The columns that only this database has, with the expressions that are written.
    package init(
        _ table: MigrationTable,
        in source: String? = nil,
        _ columns: [String: Column] = [:],
        own: [(name: String, write: String)] = []
    ) {
        self.table = table
        self.source = source ?? table.name
        self.columns = table.columns.map { columns[$0.name] ?? Column($0.name) }
        self.own = own
    }

    private var order: [Column] { Array(columns.prefix(table.keyLength)) }

    /// The names of the columns, with commas between them.
    package var names: String { (columns.map(\.name) + own.map(\.name)).joined(separator: ", ") }

    /// The number of records, as `count`.
    package var count: String { "SELECT count(*) AS count FROM \(source)" }

    /// Returns the values that are written.
    ///
    /// - Parameter value: Returns the expression of the value of a column.
    package func written(_ value: (Int) -> String) -> String {
        let shared = columns.enumerated().map { $1.write.replacing("$", with: value($0)) }
        let own = own.map { column in
            table.columns.enumerated().reduce(column.write) {
                $0.replacing("#\($1.element.name)", with: value($1.offset))
            }
        }
        return (shared + own).joined(separator: ", ")
    }

    /// Returns a query of the records that follow a key, as `c0`, `c1` and so on.
    ///
    /// - Parameters:
    ///   - isContinued: `true` if the page begins behind a key.
    ///   - limit: The mark of the parameter for the number of records.
    ///   - value: Returns the mark of the parameter for a value of the key.
    package func page(isContinued: Bool, limit: String, _ value: (Int) -> String) -> String {
        let values = columns.enumerated().map { "\($1.read) AS c\($0)" }.joined(separator: ", ")
        let key = order.map(\.name).joined(separator: ", ")
        let after = order.enumerated().map { $1.write.replacing("$", with: value($0)) }.joined(separator: ", ")
        return
            "SELECT \(values) FROM \(source)\(isContinued ? " WHERE (\(key)) > (\(after))" : "") ORDER BY \(key) LIMIT \(limit)"
    }

    /// A query of the last record's key, as `c0` and so on.
    package var last: String {
        let values = order.enumerated().map { "\($1.read) AS c\($0)" }.joined(separator: ", ")
        return
            "SELECT \(values) FROM \(source) ORDER BY \(order.map { "\($0.name) DESC" }.joined(separator: ", ")) LIMIT 1"
    }
}
