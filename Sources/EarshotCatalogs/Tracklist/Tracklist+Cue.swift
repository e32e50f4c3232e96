import EarshotCore
import Foundation

extension Tracklist {
    /// Tracks that a cue sheet can number.
    private static let cueLimit = 99
    /// Frames in a second of a cue sheet.
    private static let framesPerSecond = 75.0

    /// A cue sheet: one track after the other, each from where it begins.
    ///
    /// A cue sheet knows one track at a time. A play inside a longer one, such as a bed or a second song on top, is left
    /// out; one faded into another begins where it is first heard. Stretches of nothing are tracks called `unknown`.
    /// Of more than 99 tracks the unknown ones are left out, then the shortest.
    package func cueSheet() -> String {
        var lines = ["REM COMMENT \"earshot tracklist\"", "FILE \(Self.quoted(fileName)) \(fileType)"]
        var last = -1
        for (index, track) in cueTracks.enumerated() {
            // The first begins with the file; two that begin together are a frame apart.
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
        // What players take for any other file that they can decode.
        default: "WAVE"
        }
    }

    /// Minutes, seconds and frames.
    private static func place(_ frame: Int) -> String {
        "\(padded(frame / 75 / 60)):\(padded(frame / 75 % 60)):\(padded(frame % 75))"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Text between quotation marks. Cue sheets have no way to write a quotation mark inside, so it becomes a single one.
    private static func quoted(_ text: String) -> String {
        "\"" + onOneLine(text).replacingScalars(["\"": "'"]) + "\""
    }
}
