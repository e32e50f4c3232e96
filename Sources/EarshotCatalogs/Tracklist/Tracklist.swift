package import EarshotCore
import Foundation

/// The plays in a recording, from its beginning to its end, and the intervals without a match.
package struct Tracklist: Sendable {
    /// The shortest interval without a match that is listed, in seconds.
    package static let shortestGap = 5.0

    /// A play with its duplicates in the catalog.
    package struct Entry: Sendable {
        package var play: Play
        package var duplicates: [Play] = []

        /// Creates an entry without duplicates.
        package init(play: Play) { self.play = play }

        /// The start in the recording, in seconds.
        package var begin: Double { play.queryRange.lowerBound.seconds }
        /// The end in the recording, in seconds.
        package var end: Double { play.queryRange.upperBound.seconds }
        /// The artist and the title; the reference's name if there is no title.
        package var name: String {
            [artist, title].compactMap { $0 }.joined(separator: " – ")
        }
        /// The title, or the reference's name.
        package var title: String { play.items.first?.title ?? play.id.rawValue }
        /// The artist; `nil` if the media item has none.
        package var artist: String? { play.items.first?.artist }
    }

    /// The name of the recording.
    package let recording: String
    /// The duration of the recording, in seconds.
    package let duration: Double
    /// The entries, in order of time.
    package let entries: [Entry]
    /// The intervals without a match, in seconds.
    package let unknown: [Range<Double>]

    /// Creates the tracklist of a recording.
    package init(recording: String, duration: MediaTime, plays: [Play]) {
        self.recording = recording
        self.duration = duration.seconds
        var entries = plays.filter { $0.duplicateOf == nil }.map { Entry(play: $0) }
        for duplicate in plays {
            guard let id = duplicate.duplicateOf else { continue }
            let owner = entries.firstIndex {
                $0.play.id == id && $0.play.queryRange.overlaps(duplicate.queryRange)
            }
            if let owner { entries[owner].duplicates.append(duplicate) }
        }
        self.entries = entries
        unknown = Self.gaps(between: entries, duration: duration.seconds)
    }

    /// A line of the list: a play, or an interval without a match.
    package enum Line: Sendable {
        case play(Entry)
        case unknown(Range<Double>)

        package var begin: Double {
            switch self {
            case .play(let entry): entry.begin
            case .unknown(let gap): gap.lowerBound
            }
        }
    }

    /// All lines, in order of time.
    package var lines: [Line] {
        (entries.map(Line.play) + unknown.map(Line.unknown)).sorted { $0.begin < $1.begin }
    }

    /// The total duration without a match, in seconds.
    package var unknownSeconds: Double { unknown.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    private static func gaps(between entries: [Entry], duration: Double) -> [Range<Double>] {
        var gaps: [Range<Double>] = []
        var known = 0.0
        for entry in entries {
            if entry.begin - known >= shortestGap { gaps.append(known..<entry.begin) }
            known = max(known, entry.end)
        }
        if duration - known >= shortestGap { gaps.append(known..<duration) }
        return gaps
    }

    /// Replaces line feeds and other control characters by spaces, so that the text stays on one line.
    package static func onOneLine(_ text: String) -> String {
        String(
            text.map { character in
                let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                return isControl || character.isNewline ? " " : character
            }
        )
    }
}
