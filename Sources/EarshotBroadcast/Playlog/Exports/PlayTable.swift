import EarshotCore
import EarshotMusic
import Foundation

/// Plays as a table: comma-separated values by RFC 4180, in UTF-8, with a header. Lines end with CR and LF.
///
/// Times are seconds; dates are ISO 8601 in UTC with milliseconds. A text that a spreadsheet would take for a formula
/// gets an apostrophe, which reading removes. The table has no columns for the channel's name, the duration of the
/// reference, the work, the reason for the end, and notes. The identifier is computed from the other columns.
public enum PlayTable {
    /// The names of the columns, in order.
    public static let columns = [
        "channel", "start_utc", "end_utc", "played_duration", "reference_id", "title", "artist", "album", "isrc",
        "label",
        "reference_start", "reference_end", "query_start", "query_end", "score", "confidence", "time_skew",
        "frequency_skew", "kind", "state", "caller_ref",
    ]

    /// The header line, with its line ending.
    public static var header: String { columns.joined(separator: ",") + "\r\n" }

    /// Returns a record as a line, with its line ending.
    public static func line(_ record: PlayRecord) -> String {
        var fields = [text(record.channel.id.rawValue), PlaylogTime.text(record.start), PlaylogTime.text(record.end)]
        fields += [number(record.playedDuration), text(record.referenceID?.rawValue), text(record.title)]
        fields += [text(record.artist), text(record.album), text(record.isrc), text(record.label)]
        fields += [record.referenceStart, record.referenceEnd, record.queryStart, record.queryEnd].map(number)
        fields += [record.score, record.confidence, record.speedSkew, record.pitchSkew].map(number)
        fields += [text(record.kind.rawValue), record.state.rawValue, text(record.callerRef)]
        return fields.map(CSV.field).joined(separator: ",") + "\r\n"
    }

    // MARK: - Cells

    /// Returns the cell of a text. A text that begins like a formula, even after apostrophes, gets one more apostrophe,
    /// so that reading can remove exactly one.
    static func text(_ text: String?) -> String {
        guard let text else { return "" }
        return isGuarded(text) ? "'" + text : text
    }

    /// Returns the text of a cell; `nil` for an empty cell.
    static func plain(_ cell: String) -> String? {
        guard !cell.isEmpty else { return nil }
        guard cell.unicodeScalars.first == "'" else { return cell }
        let rest = String(cell.unicodeScalars.dropFirst())
        return isGuarded(rest) ? rest : cell
    }

    private static func isGuarded(_ text: String) -> Bool {
        let rest = String(text.unicodeScalars.drop { $0 == "'" })
        return CSV.inert(rest).unicodeScalars.count > rest.unicodeScalars.count
    }

    /// Returns the cell of a number, which reads back as the same number; empty if it is `nil` or not finite.
    static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    // MARK: - Reading

    /// The positions of the columns, from the first line of a table.
    struct Header: Hashable, Sendable {
        let places: [String: Int]

        /// Parses the first line.
        ///
        /// - Throws: `metadataInvalid` if channel or start is missing, or if a column occurs twice.
        init(_ names: [String]) throws(EarshotError) {
            var places: [String: Int] = [:]
            for (place, name) in names.enumerated() {
                let name = String(name.unicodeScalars.filter { $0 != "\u{FEFF}" }).lowercased()
                guard PlayTable.columns.contains(name) else { continue }
                guard places.updateValue(place, forKey: name) == nil else {
                    throw EarshotError(.metadataInvalid, "The table has two columns \(name): leave one out.")
                }
            }
            guard places["channel"] != nil, places["start_utc"] != nil else {
                throw EarshotError(
                    .metadataInvalid,
                    "The first line of the table has no channel or no start_utc: it names the columns."
                )
            }
            self.places = places
        }

        /// Parses a row.
        ///
        /// - Throws: `metadataInvalid` for an invalid cell.
        func record(_ fields: [String]) throws(EarshotError) -> PlayRecord {
            func cell(_ name: String) -> String {
                guard let place = places[name], place < fields.count else { return "" }
                return fields[place]
            }
            func plain(_ name: String) -> String? { PlayTable.plain(cell(name)) }
            func fault(_ name: String) -> EarshotError {
                EarshotError(.metadataInvalid, "\"\(cell(name).prefix(40))\" is no \(name): compare it with an export.")
            }
            func number(_ name: String) throws(EarshotError) -> Double? {
                guard !cell(name).isEmpty else { return nil }
                guard let number = Double(cell(name)), number.isFinite else { throw fault(name) }
                return number
            }
            guard let channel = plain("channel") else { throw fault("channel") }
            guard let start = PlaylogTime.date(cell("start_utc")) else { throw fault("start_utc") }
            let end = PlaylogTime.date(cell("end_utc"))
            guard end != nil || cell("end_utc").isEmpty else { throw fault("end_utc") }
            let state = PlayState(rawValue: cell("state"))
            guard state != nil || cell("state").isEmpty else { throw fault("state") }
            var record = PlayRecord(
                channel: PlayChannel(id: EntityID(channel)),
                start: start,
                end: end,
                referenceID: plain("reference_id").map { ReferenceID($0) },
                title: plain("title"),
                artist: plain("artist"),
                kind: PlayKind(rawValue: plain("kind") ?? "unknown"),
                state: state ?? .final
            )
            if let played = try number("played_duration") { record.playedDuration = played }
            (record.album, record.isrc, record.label) = (plain("album"), plain("isrc"), plain("label"))
            record.callerRef = plain("caller_ref")
            (record.referenceStart, record.referenceEnd) = (try number("reference_start"), try number("reference_end"))
            (record.queryStart, record.queryEnd) = (try number("query_start"), try number("query_end"))
            (record.score, record.confidence) = (try number("score"), try number("confidence"))
            (record.speedSkew, record.pitchSkew) = (try number("time_skew"), try number("frequency_skew"))
            return record
        }
    }
}
