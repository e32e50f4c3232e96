import CommandKit
import EarshotCore
import EarshotRecognition
import Foundation

/// Entries of a history in words.
struct HistoryText {
    let entry: HistoryEntry

    init(_ entry: HistoryEntry) { self.entry = entry }

    private var match: MusicMatch { entry.match }

    /// Artist and title, or the reference's name.
    private var name: String {
        guard let title = match.track.title else {
            return match.placement?.reference.rawValue ?? match.album.title ?? "unknown"
        }
        return match.artist.name.map { "\($0) — \(title)" } ?? title
    }

    /// One line of a table.
    ///
    /// - Parameter width: Columns of the number.
    func line(width: Int) -> String {
        let number = String(entry.id)
        let padding = String(repeating: " ", count: max(0, width - number.count))
        let album = match.album.title.map { "  " + Terminal.shown($0) } ?? ""
        let heard = entry.heard.map { "  heard " + DisplayText.length(MediaTime(seconds: $0)) } ?? ""
        return
            "\(padding)\(number)  \(Self.text(entry.date))  \(Terminal.bold(Terminal.shown(name)))\(album)\(Terminal.dim(heard))"
    }

    /// Every value on a line of its own.
    var lines: [String] {
        let position = match.songPosition.map { DisplayText.position($0) }
        let place = entry.place.map { place in
            String(format: "%.5f, %.5f", place.latitude, place.longitude)
                + (place.accuracy.map { String(format: " (within %.0f m)", $0) } ?? "")
        }
        let rows: [(String, String?)] = [
            ("id", String(entry.id)), ("date", Self.text(entry.date)), ("began", entry.began.map(Self.text)),
            ("operation", Self.name(entry.operation)), ("title", match.track.title),
            ("reading", match.track.titleReading), ("artist", match.artist.name), ("reading", match.artist.reading),
            ("also", match.artist.alternates?.joined(separator: ", ")), ("album", match.album.title),
            ("reading", match.album.titleReading), ("year", match.album.releaseYear),
            ("track", match.track.number > 0 ? String(match.track.number) : nil),
            ("tracks", match.album.trackCount > 0 ? String(match.album.trackCount) : nil), ("genre", match.genre),
            ("length", match.track.duration.map { DisplayText.position($0) }),
            ("position", position),
            ("heard", entry.heard.map { DisplayText.length(MediaTime(seconds: $0)) }), ("place", place),
            ("cover", entry.coverArt.map { "\($0.mimeType), \(DisplayText.bytes($0.data.count))" }),
            ("identifiers", match.track.identifiers?.joined(separator: ", ")),
            ("reference", match.placement?.reference.rawValue),
        ]
        return rows.compactMap { row in
            row.1.map { Terminal.dim(row.0 + String(repeating: " ", count: 13 - row.0.count)) + Terminal.shown($0) }
        }
    }

    private static func name(_ operation: HistoryEntry.Operation) -> String {
        switch operation {
        case .streamMicrophone: "microphone"
        case .streamPCM: "samples"
        case .fingerprint: "signature"
        }
    }

    /// A date by the user's clock.
    private static func text(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        return String(
            format: "%04d-%02d-%02d %02d:%02d:%02d",
            parts.year ?? 0,
            parts.month ?? 0,
            parts.day ?? 0,
            parts.hour ?? 0,
            parts.minute ?? 0,
            parts.second ?? 0
        )
    }
}
