import CommandKit
import Earshot
import Foundation

/// What is heard in a recording, from its beginning to its end, and where nothing was found.
struct Tracklist {
    /// A stretch shorter than this in which nothing was found is not worth a line, in seconds.
    static let shortestGap = 5.0

    /// A play with the duplicates that the catalog holds of it.
    struct Entry {
        var play: Play
        var duplicates: [Play] = []

        var begin: Double { play.queryRange.lowerBound.seconds }
        var end: Double { play.queryRange.upperBound.seconds }
        /// Artist and title, or the reference's name.
        var name: String {
            [artist, title].compactMap { $0 }.joined(separator: " – ")
        }
        var title: String { play.items.first?.title ?? play.id.rawValue }
        var artist: String? { play.items.first?.artist }
        /// How speed and pitch differ where a listener would notice; empty where not.
        var change: String {
            // A changed tempo whose pitch was kept is said so, not as a pitch 0.0 % off.
            if abs(play.speedSkew) >= 0.0025, abs(play.pitchSkew) < 0.0015,
                abs(play.pitchSkew - play.speedSkew) >= 0.004
            {
                return DisplayText.skew(speed: play.speedSkew, pitch: play.speedSkew) + ", pitch kept"
            }
            let words = DisplayText.skew(speed: play.speedSkew, pitch: play.pitchSkew)
            return words == DisplayText.skew(speed: 0, pitch: 0) ? "" : words
        }
    }

    /// What the recording is called.
    let recording: String
    /// How long it is, in seconds.
    let duration: Double
    /// In order of the recording.
    let entries: [Entry]
    /// Where nothing was found, in seconds.
    let unknown: [Range<Double>]

    init(recording: String, duration: MediaTime, plays: [Play]) {
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

    /// Everything that is said, a play or a stretch of nothing, in order.
    enum Line {
        case play(Entry)
        case unknown(Range<Double>)

        var begin: Double {
            switch self {
            case .play(let entry): entry.begin
            case .unknown(let gap): gap.lowerBound
            }
        }
    }

    var lines: [Line] {
        (entries.map(Line.play) + unknown.map(Line.unknown)).sorted { $0.begin < $1.begin }
    }

    /// Seconds in which nothing was found.
    var unknownSeconds: Double { unknown.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

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
}
