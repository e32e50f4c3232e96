import EarshotCore
import Foundation

/// Text and numbers as pictures show them.
package enum PlotText {
    /// The typefaces asked for; the last ones have the scripts that the first one lacks.
    package static let fonts = "DejaVu Sans, Noto Sans, Noto Sans CJK JP, sans-serif"

    /// Text that may stand in XML: without characters that XML or the order of a line forbids, the rest escaped.
    package static func escaped(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": line.append(" ")
            // Overrides of direction would turn what follows them round.
            case "\u{202A}"..."\u{202E}", "\u{FFFE}", "\u{FFFF}": break
            default: if scalar.properties.generalCategory != .control { line.append(scalar) }
            }
        }
        return MarkupText.html(String(line))
    }

    /// Text, cut with an ellipsis where it would be wider than there is room.
    package static func shortened(_ text: String, size: Double, width: Double, isBold: Bool = false) -> String {
        guard estimatedWidth(text, size: size, isBold: isBold) > width else { return text }
        let room = width - estimatedWidth("…", size: size, isBold: isBold)
        var kept = ""
        var used = 0.0
        for character in text {
            used += advance(character, isBold) * size
            guard used <= room else { break }
            kept.append(character)
        }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        return kept + "…"
    }

    /// About how wide text is, rather too much than too little: the machine that draws it may have other fonts.
    package static func estimatedWidth(_ text: String, size: Double, isBold: Bool = false) -> Double {
        text.reduce(0) { $0 + advance($1, isBold) } * size
    }

    /// Widths of DejaVu Sans, which is a wide face, in sizes of the font.
    private static func advance(_ character: Character, _ isBold: Bool) -> Double {
        let width = advance(character)
        // Ideographs fill their square in any weight.
        return isBold && width < 1.01 ? width * 1.13 : width
    }

    private static func advance(_ character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar {
        case "i", "j", "l", "I", "'", ".", ",", ":", ";", "|", " ", "\u{A0}", "·": return 0.34
        case "f", "t", "r", "(", ")", "[", "]", "-", "/", "!", "\"": return 0.42
        case "m", "M", "w", "W", "%", "@", "—", "…": return 1
        case "A"..."Z": return 0.74
        // Greek, Cyrillic, Hebrew and Arabic.
        case "\u{370}"..."\u{6FF}": return 0.68
        case "\u{0}"..."\u{7F}": return 0.64
        case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{A4CF}", "\u{AC00}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
            "\u{FE30}"..."\u{FE4F}", "\u{FF00}"..."\u{FF60}", "\u{20000}"..."\u{3FFFF}":
            return 1.02
        case "\u{1F000}"..."\u{1FAFF}": return 1.4
        default: return 0.76
        }
    }

    /// A time as `0:42`, `1:02:03`, with decimals `0:42.318`; before zero with a minus sign.
    package static func clock(_ seconds: Double, decimals: Int = 0) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "--:--" }
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let units = Int((abs(seconds) * Double(scale)).rounded())
        let (whole, part) = units.quotientAndRemainder(dividingBy: scale)
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let sign = seconds < 0 && units > 0 ? "−" : ""
        let head = hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)"
        return "\(sign)\(head):\(padded(whole % 60, 2))" + (decimals > 0 ? ".\(padded(part, decimals))" : "")
    }

    /// A number with a fixed number of decimals.
    package static func fixed(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return "–" }
        let text = String(format: "%.\(decimals)f", abs(value))
        return value < 0 && text.contains { "123456789".contains($0) } ? "−" + text : text
    }

    /// A share of one as a change: `+3.0 %`, `−1.2 %`, `0.0 %`.
    package static func change(_ share: Double) -> String {
        let text = fixed(share * 100, decimals: 1)
        return (share > 0 && text != "0.0" ? "+" : "") + text + "\u{A0}%"
    }

    /// A whole number with commas: `12,345`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
            result.append(digit)
        }
        return number < 0 ? "−" + result : result
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
