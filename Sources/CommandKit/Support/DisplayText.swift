package import EarshotCatalogs
package import EarshotCore
import Foundation

/// Puts figures and names into words for a person.
package enum DisplayText {
    /// A position with thousandths: `1:02.345`.
    package static func position(_ time: MediaTime) -> String {
        let milliseconds = time.converted(toTimescale: 1000)
        guard milliseconds.isNumeric else { return time.label }
        let sign = milliseconds.value < 0 ? "-" : ""
        let total = milliseconds.value.magnitude
        let (minutes, rest) = (total / 60_000, total % 60_000)
        let seconds = String(format: "%02d.%03d", rest / 1000, rest % 1000)
        guard minutes >= 60 else { return "\(sign)\(minutes):\(seconds)" }
        return sign + "\(minutes / 60):" + String(format: "%02d:", minutes % 60) + seconds
    }

    /// A length in plain units: `8.0 s`, `3:25`, `9.5 h`.
    package static func length(_ time: MediaTime) -> String {
        guard time.isNumeric else { return "unknown length" }
        let seconds = time.seconds
        if seconds < 60 { return String(format: "%.1f s", seconds) }
        guard seconds < 36_000 else { return String(format: "%.1f h", seconds / 3600) }
        return String(position(MediaTime(seconds: seconds.rounded(.down))).dropLast(4))
    }

    package static func bytes(_ count: Int) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(count), 0)
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(count) B" : String(format: "%.1f %@", value, units[unit])
    }

    /// The sentence about a failure of an input, which names the input once.
    package static func failure(of input: String, _ message: String) -> String {
        let name = URL(fileURLWithPath: input).lastPathComponent
        return input != "-" && !name.isEmpty && message.contains(name) ? message : "\(input): \(message)"
    }

    /// The name of a match: title and artist, or the reference's name.
    package static func name(_ id: ReferenceID, _ items: [MediaItem]) -> String {
        guard let item = items.first, let title = item.title else { return id.rawValue }
        return item.artist.map { "\(title) — \($0)" } ?? title
    }

    /// Says by how much speed and pitch differ, or that they do not.
    package static func skew(speed: Double, pitch: Double) -> String {
        func percent(_ value: Double) -> String { String(format: "%.1f %%", abs(value) * 100) }
        var parts: [String] = []
        if abs(speed) >= 0.0025 { parts.append(percent(speed) + (speed > 0 ? " fast" : " slow")) }
        // Pitch that follows speed, as on a tape, needs no word of its own.
        if abs(pitch - speed) >= 0.004 {
            parts.append(abs(pitch) < 0.0025 ? "at its own pitch" : percent(pitch) + (pitch > 0 ? " high" : " low"))
        }
        return parts.isEmpty ? "at its own speed" : parts.joined(separator: ", ")
    }

    package static func plural(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
