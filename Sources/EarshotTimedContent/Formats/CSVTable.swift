import EarshotCatalogs
import EarshotCore

/// A table with a header, as RFC 4180 describes it; fields are separated by commas, semicolons or tabs. Columns that are
/// not known are the payload, as text.
enum CSVTable {
    private static let columns: [String: Column] = [
        "start": .start, "time": .start, "offset": .start, "begin": .start, "starttime": .start, "end": .end,
        "stop": .end,
        "endtime": .end, "title": .title, "text": .title, "name": .title, "id": .id, "lane": .lane,
        "answerstart": .answerStart, "answerend": .answerEnd, "requiresanswer": .requiresAnswer,
    ]

    private enum Column: Hashable {
        case start, end, title, id, lane, answerStart, answerEnd, requiresAnswer
        case payload(String)
    }

    private static let prefix = "payload."

    private static func column(_ name: String) -> Column {
        let name = name.trimmed
        if name.hasPrefix(prefix) { return .payload(String(name.dropFirst(prefix.count))) }
        let folded = name.lowercased().filter { $0 != "_" && $0 != " " && $0 != "-" }
        return columns[folded] ?? .payload(name)
    }

    /// Returns `true` if a first line names a column of times.
    static func looksLikeHeader(_ line: String) -> Bool { separator(of: line) != nil }

    /// The separator with which a header has a column of times.
    private static func separator(of line: String) -> UInt8? {
        ",;\t".utf8.first { separator in
            guard let header = try? rows(line, separator: separator).first else { return false }
            return header.fields.contains { column($0) == .start }
        }
    }

    // MARK: - Reading

    static func read(_ text: String) throws(TimedContentFault) -> TimelineDraft {
        let lines = TextLines.lines(of: text)
        guard let first = lines.firstIndex(where: { !$0.isBlank }), let separator = separator(of: lines[first]) else {
            throw TimedContentFault(
                line: 1,
                "the first line names no column of times: write a header such as start,end,title."
            )
        }
        let rows = try rows(text, separator: separator).filter { !$0.fields.allSatisfy(\.isBlank) }
        let header = rows[0].fields.map(column)
        var seen: Set<Column> = []
        for (name, column) in zip(rows[0].fields, header) where !seen.insert(column).inserted {
            throw TimedContentFault(line: rows[0].line, "the column \"\(name.prefix(40))\" is there twice: rename one.")
        }
        var draft = TimelineDraft()
        for row in rows.dropFirst() {
            guard row.fields.dropFirst(header.count).allSatisfy(\.isBlank) else {
                throw TimedContentFault(
                    line: row.line,
                    "the row has \(row.fields.count) fields and the header \(header.count): quote fields that contain "
                        + "the separator."
                )
            }
            try draft.append(try entry(row, header, hasCommas: separator != UInt8(ascii: ",")), line: row.line)
        }
        return draft
    }

    private static func entry(
        _ row: CSV.Row,
        _ header: [Column],
        hasCommas: Bool
    ) throws(TimedContentFault) -> TimedEntry {
        var entry = TimedEntry(id: "", title: "", start: .invalid)
        var (answerStart, answerEnd): (MediaTime?, MediaTime?)
        for (field, column) in zip(row.fields, header) where !field.isEmpty {
            func time() throws(TimedContentFault) -> MediaTime? {
                if field.isBlank { return nil }
                guard let time = TimeText.parse(hasCommas ? field.exchanging(",", for: ".") : field) else {
                    throw TimedContentFault(
                        line: row.line,
                        "\"\(field.prefix(20))\" is not a time: write seconds or h:mm:ss."
                    )
                }
                return time
            }
            switch column {
            case .start: entry.start = try time() ?? .invalid
            case .end: entry.end = try time()
            case .answerStart: answerStart = try time()
            case .answerEnd: answerEnd = try time()
            case .title: entry.title = field
            case .id: entry.id = field
            case .lane:
                guard let lane = Int(field.trimmed) else {
                    throw TimedContentFault(line: row.line, "\"\(field.prefix(20))\" is no lane: write 0 to 255.")
                }
                entry.lane = lane
            case .requiresAnswer:
                guard let flag = flags[field.trimmed.lowercased()] else {
                    throw TimedContentFault(line: row.line, "\"\(field.prefix(20))\" is neither true nor false.")
                }
                entry.requiresAnswer = flag
            case .payload(let name):
                // A column without a name has nothing to be found under.
                if !name.isEmpty { entry.payload[name] = .string(field) }
            }
        }
        guard entry.start.isNumeric else {
            throw TimedContentFault(line: row.line, "the row has no time: write one in the column of times.")
        }
        if answerStart != nil || answerEnd != nil {
            guard let answerStart, let answerEnd, answerStart < answerEnd else {
                throw TimedContentFault(line: row.line, "the answer range needs a start and a later end.")
            }
            entry.answerRange = answerStart..<answerEnd
        }
        return entry
    }

    private static let flags = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

    private static func rows(_ text: String, separator: UInt8) throws(TimedContentFault) -> [CSV.Row] {
        let (rows, openLine) = CSV.table(text, separator: separator)
        if let openLine {
            throw TimedContentFault(
                line: openLine,
                "a quotation mark is never closed: add one, or double it inside a field."
            )
        }
        return rows
    }

    // MARK: - Writing

    static func text(of timeline: Timeline) throws -> String {
        let entries = timeline.entries
        let keys = Set(entries.flatMap { $0.payload.keys }).sorted()
        var header = ["id", "start", "end", "title"]
        let hasLanes = entries.contains { $0.lane != 0 }
        let hasAnswers = entries.contains { $0.answerRange != nil }
        if hasLanes { header.append("lane") }
        if hasAnswers { header += ["answerStart", "answerEnd", "requiresAnswer"] }
        header += keys.map { column($0) == .payload($0) ? $0 : prefix + $0 }
        var text = header.map(CSV.field).joined(separator: ",") + "\n"
        for entry in entries {
            var fields = [entry.id, TimeText.string(entry.start), entry.end.map(TimeText.string) ?? "", entry.title]
            if hasLanes { fields.append(String(entry.lane)) }
            if hasAnswers {
                fields.append(entry.answerRange.map { TimeText.string($0.lowerBound) } ?? "")
                fields.append(entry.answerRange.map { TimeText.string($0.upperBound) } ?? "")
                fields.append(entry.requiresAnswer ? "true" : "")
            }
            for key in keys {
                fields.append(
                    try entry.payload[key].map { try $0.string ?? JSONValue(tagging: $0.plainReals).text() } ?? ""
                )
            }
            text += fields.map(CSV.field).joined(separator: ",") + "\n"
        }
        return text
    }
}
