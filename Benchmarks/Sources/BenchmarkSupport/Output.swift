import Foundation

/// Tables for people, JSON for programs, and the numbers in them.
public enum Output {
    /// A line of comment on standard error.
    public static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Prints rows with aligned columns, the first to the left and the others to the right.
    public static func table(_ rows: [[String]]) {
        guard let columns = rows.map(\.count).max() else { return }
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { index, text in
                let space = String(repeating: " ", count: widths[index] - text.count)
                return index == 0 ? text + space : space + text
            }
            print(cells.joined(separator: "  "))
        }
    }

    /// The value below which a share of sorted values lies.
    public static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        guard let last = sorted.last else { return 0 }
        let place = share * Double(sorted.count - 1)
        let index = Int(place)
        return index + 1 < sorted.count
            ? sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index)) : last
    }

    /// The middle of values.
    public static func median(_ values: [Double]) -> Double { quantile(values.sorted(), 0.5) }

    /// The mean of values; zero for none.
    public static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    /// A share in per cent.
    public static func percent(_ share: Double, _ digits: Int = 2) -> String {
        String(format: "%.\(digits)f %%", share * 100)
    }

    /// A number with so many digits behind the point.
    public static func number(_ value: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", value) }

    /// Writes a value as JSON, in place of what is there.
    public static func write(_ value: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
