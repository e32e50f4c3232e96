package import EarshotCore
import EarshotMusic
package import Foundation

/// Exports a history as JSON or CSV.
package enum HistoryDocument {
    /// Encodes entries as a JSON object `{"entries": […]}`, with dates in ISO 8601 in UTC with milliseconds.
    ///
    /// - Parameters:
    ///   - entries: The entries, in the order of the file.
    ///   - coverArt: `true` to include covers, in Base64.
    /// - Throws: `metadataInvalid` for a match with a number that JSON does not support.
    package static func json(_ entries: [HistoryEntry], coverArt: Bool = false) throws(EarshotError) -> Data {
        do {
            return try JSONEncoder.sorted(isPretty: true, date: text).encode([
                "entries": entries.map { Row(entry: $0, showsCover: coverArt) }
            ])
        } catch {
            throw EarshotError(
                .metadataInvalid,
                "The history holds a match that JSON cannot express: remove the entry.",
                cause: error
            )
        }
    }

    /// An entry with what follows from it.
    private struct Row: Encodable {
        var entry: HistoryEntry
        let showsCover: Bool

        private enum Keys: String, CodingKey { case began }

        func encode(to encoder: any Encoder) throws {
            var entry = entry
            if !showsCover { entry.coverArt = nil }
            try entry.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encodeIfPresent(entry.began, forKey: .began)
        }
    }

    /// The names of the columns of ``csv(_:)``.
    package static let columns = [
        "id", "date", "began", "operation", "title", "artist", "album", "album_artist", "track_number", "year", "genre",
        "duration", "song_position", "heard", "latitude", "longitude", "accuracy", "isrc", "recording_mbid", "track_id",
        "album_id",
    ]

    /// Returns entries as CSV with a header: times in seconds, dates in ISO 8601 in UTC.
    ///
    /// A text that a spreadsheet would interpret as a formula has an apostrophe in front.
    ///
    /// - Parameter entries: The entries, in the order of the table.
    package static func csv(_ entries: [HistoryEntry]) -> String {
        let lines = [columns.joined(separator: ",")] + entries.map { row($0).map(CSV.field).joined(separator: ",") }
        return lines.map { $0 + "\r\n" }.joined()
    }

    private static func row(_ entry: HistoryEntry) -> [String] {
        let match = entry.match
        let listen = HistoryListen(entry)
        let names = [match.track.title, match.artist.name, match.album.title, match.album.artist]
        var row = [String(entry.id), text(entry.date), entry.began.map(text) ?? "", entry.operation.rawValue]
        row += names.map { CSV.inert($0 ?? "") }
        row += [match.track.number > 0 ? String(match.track.number) : "", CSV.inert(match.album.releaseYear ?? "")]
        row += [CSV.inert(match.genre ?? ""), number(match.track.duration?.seconds)]
        row += [number(match.songPosition?.seconds), number(entry.heard)]
        row += [entry.place?.latitude, entry.place?.longitude, entry.place?.accuracy].map(number)
        row += [listen?.isrc ?? "", listen?.recording ?? ""]
        row += [match.track.id?.rawValue, match.album.id?.rawValue].map { CSV.inert($0 ?? "") }
        return row
    }

    private static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// A date as ISO 8601 has it, in UTC with milliseconds.
    static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
