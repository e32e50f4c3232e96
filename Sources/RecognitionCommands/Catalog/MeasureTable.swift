import CommandKit
import EarshotCore
import Foundation

/// The rows of a measurement: a table that grows on the terminal, or one JSON object at the end.
struct MeasureTable {
    private let format: JSONOption
    private let widths: [Int]
    private var rows: [JSONValue] = []

    /// Prints the head of the table.
    ///
    /// - Parameter titles: The titles of the columns; each is also the width of its column.
    init(_ format: JSONOption, _ titles: [String]) {
        self.format = format
        widths = titles.map { max($0.count, 10) }
        if !format.json { Terminal.print(zip(titles, widths).map(Self.padded).joined(separator: "  ")) }
    }

    /// Adds a row: for each column the name of its JSON member, the value, and the decimals that people see.
    mutating func add(_ cells: [(name: String, value: Double, decimals: Int)]) {
        rows.append(.object(Dictionary(cells.map { ($0.name, .number($0.value)) }) { first, _ in first }))
        guard !format.json else { return }
        let texts = cells.map { String(format: "%.\($0.decimals)f", $0.value) }
        Terminal.print(zip(texts, widths).map(Self.padded).joined(separator: "  "))
    }

    /// Prints the rows as JSON, if that was asked for.
    func finish() throws {
        if format.json { try format.print("", ["rows": .array(rows)]) }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
