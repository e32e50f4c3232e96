import EarshotCore
import Foundation

extension Tracklist {
    /// The largest number of tracks in a cue sheet.
    private static let cueLimit = 99
    /// Frames in a second of a cue sheet.
    private static let framesPerSecond = 75.0

    /// Returns a cue sheet with one track after the other, each at its start.
    ///
    /// A cue sheet has one track at a time. A play inside a longer one, such as a bed or a second song on top, is left
    /// out; one faded into another begins where it is first heard. Intervals without a match are tracks with the title
    /// `unknown`. If there are more than 99 tracks, the unknown ones are left out, and then the shortest.
    package func cueSheet() -> String {
        var lines = ["REM COMMENT \"earshot tracklist\"", "FILE \(Self.quoted(fileName)) \(fileType)"]
        var last = -1
        for (index, track) in cueTracks.enumerated() {
            // The first track begins with the file. Two that begin together are one frame apart.
            let frame = index == 0 ? 0 : max(last + 1, Int((track.begin * Self.framesPerSecond).rounded()))
            last = frame
            lines.append("  TRACK \(Self.padded(index + 1)) AUDIO")
            lines.append("    TITLE \(Self.quoted(track.title))")
            if let artist = track.artist { lines.append("    PERFORMER \(Self.quoted(artist))") }
            lines.append("    INDEX 01 \(Self.place(frame))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private struct CueTrack {
        var begin: Double
        var length: Double
        var title: String
        var artist: String?
        var isUnknown = false
    }

    private var cueTracks: [CueTrack] {
        var tracks: [CueTrack] = []
        for entry in entries {
            let length = entry.end - entry.begin
            let isWithin = entries.contains { other in
                other.begin <= entry.begin && other.end >= entry.end && other.end - other.begin > length
            }
            guard !isWithin else { continue }
            tracks.append(CueTrack(begin: entry.begin, length: length, title: entry.title, artist: entry.artist))
        }
        let gaps = unknown.map {
            CueTrack(begin: $0.lowerBound, length: $0.upperBound - $0.lowerBound, title: "unknown", isUnknown: true)
        }
        if tracks.count + gaps.count <= Self.cueLimit {
            tracks += gaps
        } else if tracks.count > Self.cueLimit {
            tracks = Array(tracks.sorted { $0.length > $1.length }.prefix(Self.cueLimit))
        }
        return tracks.sorted { $0.begin < $1.begin }
    }

    private var fileName: String {
        recording == "-" ? "standard input" : URL(fileURLWithPath: recording).lastPathComponent
    }

    private var fileType: String {
        switch URL(fileURLWithPath: recording).pathExtension.lowercased() {
        case "mp3": "MP3"
        case "aif", "aiff": "AIFF"
        // Players accept this type for any other file that they can decode.
        default: "WAVE"
        }
    }

    /// Formats a time as minutes, seconds and frames.
    private static func place(_ frame: Int) -> String {
        "\(padded(frame / 75 / 60)):\(padded(frame / 75 % 60)):\(padded(frame % 75))"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns text in quotation marks. Cue sheets cannot escape a quotation mark, so one in the text becomes an
    /// apostrophe.
    private static func quoted(_ text: String) -> String {
        "\"" + onOneLine(text).replacingScalars(["\"": "'"]) + "\""
    }
}
