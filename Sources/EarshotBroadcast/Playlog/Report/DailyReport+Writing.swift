public import EarshotCore
import EarshotMusic
public import Foundation

extension DailyReport {
    // MARK: - JSON

    /// Returns the report as a JSON object; dates are ISO 8601 in UTC.
    ///
    /// - Throws: `metadataInvalid` for a number that is not finite.
    public func json() throws(EarshotError) -> Data { try PlaylogJSON.encode(self, isPretty: true) }

    // MARK: - CSV

    /// The columns of ``csv()``.
    public static let columns = [
        "day", "time_zone", "section", "key", "title", "artist", "isrc", "caller_ref", "channels", "plays", "seconds",
        "heard_seconds", "identified_seconds", "first_utc", "last_utc",
    ]

    /// Returns the report as a table: one row for the day (section `total`), and one for each channel, kind, reference
    /// and gap. Lines end with CR and LF, and texts are escaped as in ``PlayTable``. The row of a gap has the channel
    /// as key, the reason as title, and its end as last time.
    public func csv() -> String {
        var rows = [Self.columns]
        let identified = channels.reduce(0) { $0 + $1.identifiedSeconds }
        rows.append(row("total", "", total, count: channels.count, heard: heardSeconds, identified: identified))
        for channel in channels {
            let (heard, identified) = (channel.heardSeconds, channel.identifiedSeconds)
            let key = channel.channel.id.rawValue
            let title = channel.channel.name
            rows.append(row("channel", key, channel.total, [title], heard: heard, identified: identified))
        }
        for kind in kinds { rows.append(row("kind", kind.kind.rawValue, kind.total)) }
        for reference in references {
            let texts = [reference.title, reference.artist, reference.isrc, reference.callerRef]
            let count = reference.channels.count
            rows.append(row("reference", reference.id.rawValue, reference.total, texts, count: count))
        }
        for gap in gaps {
            let length = gap.end.map { $0.timeIntervalSince(gap.start) } ?? end.timeIntervalSince(gap.start)
            let total = Total(plays: 0, seconds: length, first: gap.start, last: gap.end)
            rows.append(row("gap", gap.channel.id.rawValue, total, [gap.reason.rawValue]))
        }
        return rows.map { $0.map(CSV.field).joined(separator: ",") + "\r\n" }.joined()
    }

    private func row(
        _ section: String,
        _ key: String,
        _ total: Total,
        _ texts: [String?] = [],
        count: Int? = nil,
        heard: Double? = nil,
        identified: Double? = nil
    ) -> [String] {
        let padded = texts + Array(repeating: nil, count: max(0, 4 - texts.count))
        var row = [day.description, timeZone, section, PlayTable.text(key)] + padded.map(PlayTable.text)
        row += [count.map(String.init) ?? "", String(total.plays)]
        row += [total.seconds, heard, identified].map { seconds in
            PlayTable.number(seconds.map { ($0 * 1_000).rounded() / 1_000 })
        }
        row += [total.first.map(PlaylogTime.text) ?? "", total.last.map(PlaylogTime.text) ?? ""]
        return row
    }

    // MARK: - Text

    /// Returns the report as text in columns.
    ///
    /// - Parameter limit: The largest number of references, and of gaps, that are listed.
    public func text(limit: Int = 50) -> String {
        let limit = max(0, limit)
        let share = identifiedShare.map(Self.percent) ?? "-"
        var lines = ["Plays of \(day) (\(timeZone))", ""]
        let plays = total.plays == 1 ? "1 play" : "\(total.plays) plays"
        lines.append("\(plays), \(Self.hours(heardSeconds)) heard, \(share) of it identified")
        lines += Self.table(
            ["CHANNEL", "PLAYS", "PLAYED", "HEARD", "IDENTIFIED"],
            channels.map { channel in
                let share = channel.identifiedShare.map(Self.percent) ?? "-"
                let total = channel.total
                let times = [Self.hours(total.seconds), Self.hours(channel.heardSeconds), share]
                return [channel.channel.name, String(total.plays)] + times
            }
        )
        lines += Self.table(
            ["KIND", "PLAYS", "PLAYED"],
            kinds.map { [$0.kind.rawValue, String($0.total.plays), Self.hours($0.total.seconds)] }
        )
        lines += Self.table(
            ["REFERENCE", "PLAYS", "PLAYED", "CHANNELS", "FIRST", "LAST"],
            references.prefix(limit).map { reference in
                let names = [reference.artist, reference.title].compactMap(\.self).joined(separator: " - ")
                let total = reference.total
                let name = names.isEmpty ? reference.id.rawValue : names
                let figures = [String(total.plays), Self.hours(total.seconds), String(reference.channels.count)]
                return [name] + figures + [clock(total.first), clock(total.last)]
            }
        )
        if references.count > limit { lines.append("… and \(references.count - limit) more") }
        lines += Self.table(
            ["NOT HEARD", "FROM", "TO", "LENGTH", "REASON"],
            gaps.prefix(limit).map { gap in
                let length = (gap.end ?? end).timeIntervalSince(gap.start)
                let times = [clock(gap.start), gap.end.map { clock($0) } ?? "goes on", Self.hours(length)]
                return [gap.channel.name] + times + [gap.reason.rawValue]
            }
        )
        if gaps.count > limit { lines.append("… and \(gaps.count - limit) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a table after an empty line; empty without rows. All columns except the first are right-aligned.
    private static func table(_ header: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let all = ([header] + rows).map { $0.map { cell in shortened(cell) } }
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return [""]
            + all.map { row in
                let cells = row.enumerated().map { column, cell in
                    let space = String(repeating: " ", count: widths[column] - cell.count)
                    return column == 0 ? cell + space : space + cell
                }
                return cells.joined(separator: "  ")
            }
    }

    private static func shortened(_ cell: String) -> String {
        let line = String(cell.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line.count > 48 ? String(line.prefix(47)) + "…" : line
    }

    /// Formats a time of day in the report's time zone, with the date if that is another day.
    private func clock(_ date: Date?) -> String {
        guard let date else { return "-" }
        let zone = timeZone == "UTC" ? TimeZone.gmt : TimeZone(identifier: timeZone) ?? .gmt
        let local = PlaylogTime.text(date.addingTimeInterval(Double(zone.secondsFromGMT(for: date))))
        let time = String(local.dropFirst(11).prefix(8))
        return local.hasPrefix(day.description) ? time : "\(local.dropFirst(5).prefix(5)) \(time)"
    }

    private static func hours(_ seconds: Double) -> String {
        let whole = Int(min(1e12, max(0, seconds)).rounded())
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(whole / 3_600):\(padded(whole / 60 % 60)):\(padded(whole % 60))"
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1_000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
