public import EarshotCore
public import Foundation

/// A table of tracks, one row a track: CSV with a header, or lines of JSON objects.
///
/// `Docs/importing.md` lists the columns. The case of column names is ignored. The separator of CSV is detected in the
/// header: a comma, a semicolon or a tab. Fields are quoted as in RFC 4180 and may then contain line breaks.
public struct TrackTable: Sendable {
    /// The largest size of a row, in bytes: 4 MiB.
    public static let maximumRowSize = 4 << 20

    enum Form: Sendable {
        case csv(separator: UInt8, columns: [TableColumn?])
        case jsonLines
    }

    let form: Form
    private let ignoresUnknown: Bool
    private let taxonomies: Taxonomies
    private let unknown: UnknownDescriptors?

    /// Creates a reader for the table that begins with the given line.
    ///
    /// - Parameters:
    ///   - firstLine: The header of CSV, or the first object.
    ///   - ignoresUnknown: `true` to ignore unknown columns.
    ///   - taxonomies: The taxonomies of genres and other descriptors.
    ///   - unknown: Collects texts that name no descriptor.
    /// - Throws: `metadataInvalid` for a column that is not known, or is there twice, and for a table without titles.
    public init(
        firstLine: Data,
        ignoresUnknown: Bool = false,
        taxonomies: Taxonomies = .builtIn,
        unknown: UnknownDescriptors? = nil
    ) throws(EarshotError) {
        self.ignoresUnknown = ignoresUnknown
        self.taxonomies = taxonomies
        self.unknown = unknown
        let text = try Self.text(firstLine)
        guard text.first(where: { !$0.isWhitespace }) != "{" else {
            form = .jsonLines
            // The others are rejects one by one; if the first is wrong, they all are likely to be.
            if !ignoresUnknown, let object = try? TableCell.object(text) {
                for name in object.keys.sorted() { _ = try Self.column(name, ignoresUnknown: false) }
            }
            return
        }
        let separator = Self.separator(of: text)
        var columns: [TableColumn?] = []
        for name in try Self.fields(text, separator) {
            let column = try Self.column(name, ignoresUnknown: ignoresUnknown)
            guard column == nil || !columns.contains(column) else {
                throw EarshotError(.metadataInvalid, "The column \"\(name.prefix(40))\" is there twice: leave one out.")
            }
            columns.append(column)
        }
        guard columns.contains(.plain(.title)) else {
            throw EarshotError(
                .metadataInvalid,
                "The table has no column \"title\": its first line must name the columns, separated by commas."
            )
        }
        form = .csv(separator: separator, columns: columns)
    }

    /// `true` if the first line is a header and not a track.
    public var hasHeader: Bool { separator != nil }

    /// The field separator; `nil` for JSON.
    var separator: UInt8? { if case .csv(let separator, _) = form { separator } else { nil } }

    /// Returns the changes that a row describes (artists, album and track), for `MetadataMerger`.
    ///
    /// - Parameter row: One row without the line's end, not the header.
    /// - Throws: `metadataInvalid` with the reason, for the list of rejected lines.
    public func changes(in row: Data) throws(EarshotError) -> [MusicChange] {
        try description(of: row).changes
    }

    /// Parses a row into the description of a track.
    ///
    /// - Parameter row: One row without the line's end, not the header.
    /// - Throws: `metadataInvalid` with the reason, for the list of rejected rows.
    public func description(of row: Data) throws(EarshotError) -> TrackDescription {
        let text = try Self.text(row)
        var cells: [TableColumn: TableCell] = [:]
        switch form {
        case .csv(let separator, let columns):
            let fields = try Self.fields(text, separator)
            guard fields.count == columns.count else {
                throw EarshotError(
                    .metadataInvalid,
                    "The row has \(fields.count) fields and the header \(columns.count): quote fields that hold a separator."
                )
            }
            for (column, field) in zip(columns, fields) {
                if let column, !field.allSatisfy(\.isWhitespace) { cells[column] = .text(field) }
            }
        case .jsonLines:
            for (name, cell) in try TableCell.object(text) {
                guard let column = try Self.column(name, ignoresUnknown: ignoresUnknown), let cell else { continue }
                cells[column] = cell
            }
        }
        return try TableRow(cells: cells, taxonomies: taxonomies, unknown: unknown).description()
    }

    // MARK: - Text

    private static func text(_ line: Data) throws(EarshotError) -> String {
        guard line.count <= maximumRowSize else {
            throw EarshotError(
                .metadataInvalid,
                "The row has \(line.count) bytes, and 4 MiB are allowed: leave something out."
            )
        }
        // A byte order mark stands before the first line.
        let bytes = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw EarshotError(.metadataInvalid, "The row is not UTF-8: save the table as UTF-8.")
        }
        return text
    }

    private static func fields(_ text: String, _ separator: UInt8) throws(EarshotError) -> [String] {
        let table = CSV.table(text, separator: separator)
        guard table.openLine == nil else {
            throw EarshotError(
                .metadataInvalid,
                "A quotation mark is never closed: close it, or double it if it is text."
            )
        }
        guard table.rows.count == 1 else {
            throw EarshotError(
                .metadataInvalid,
                "The line holds \(table.rows.count) rows: end lines with LF or CRLF, and quote fields with ends of lines."
            )
        }
        return table.rows[0].fields
    }

    private static func separator(of header: String) -> UInt8 {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        func count(_ candidate: UInt8) -> Int { header.utf8.count { $0 == candidate } }
        // The first of equals stays.
        return candidates.reduce(candidates[0]) { count($1) > count($0) ? $1 : $0 }
    }

    private static func column(_ name: String, ignoresUnknown: Bool) throws(EarshotError) -> TableColumn? {
        if let column = TableColumn(name) { return column }
        guard !ignoresUnknown else { return nil }
        throw EarshotError(
            .metadataInvalid,
            "The column \"\(name.prefix(40))\" is not known; the nearest is \"\(TableColumn.nearest(to: name))\": correct it, or pass over such columns with --ignore-unknown."
        )
    }
}
