public import EarshotCore
public import Foundation

/// A file of lyrics: LRC, whose lines stand behind their times, or plain text.
///
/// Files are as different as the programs that write them, so most is forgiven: lines without times, times with a colon
/// before the fraction, times of words (which are left out), unknown tags. `[offset:250]` shows everything 250 ms sooner.
public struct LRCFile: Hashable, Sendable {
    /// The largest size of a file, in bytes: 1 MiB.
    public static let maximumSize = 1 << 20
    /// The largest number of lines. A line with several times counts once for each.
    public static let maximumLineCount = 10_000

    /// The artist, `[ar:…]`; `nil` if the file names none.
    public private(set) var artist: String?
    /// The title, `[ti:…]`; `nil` if the file names none.
    public private(set) var title: String?
    /// The album, `[al:…]`; `nil` if the file names none.
    public private(set) var album: String?
    /// The language, `[la:…]`, as ISO 639-3 code; `nil` if the file names none.
    public private(set) var language: String?
    /// The author of the lyrics, `[au:…]`; `nil` if the file names none.
    public private(set) var author: String?
    /// The creator of the file, `[by:…]`; `nil` if the file names none.
    public private(set) var maker: String?
    /// The lines by time; a line without a time follows the line before it in the file. Empty lines separate verses;
    /// there is none at the beginning and the end.
    public private(set) var lines: [Lyrics.Line] = []

    /// Reads a file.
    ///
    /// - Parameter bytes: UTF-8 with or without a byte order mark, or UTF-16 with one; lines end with LF, CRLF or CR.
    /// - Throws: `metadataInvalid` if the data is not text, is too large, has no words, or has an invalid offset; the
    ///   message names the line if there is one.
    public init(_ bytes: Data) throws(EarshotError) {
        guard bytes.count <= Self.maximumSize else {
            throw EarshotError(
                .metadataInvalid,
                "The lyrics have \(bytes.count) bytes, and 1 MiB is allowed: check that the file holds lyrics."
            )
        }
        let text = try Self.text(bytes)
        var placed: [Placed] = []
        var offset: Int64 = 0
        var time: Int64 = -1
        var size = 0
        // Empty lines count once something follows them.
        var isEmptyBefore = false
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var rest = Substring(line.trimmingCharacters(in: .whitespacesAndNewlines))
            var times: [Int64] = []
            while let (milliseconds, behind) = Self.time(rest) {
                times.append(milliseconds)
                rest = behind
            }
            if times.isEmpty, let (name, value) = Self.tag(rest) {
                if name == "offset" {
                    offset = try Self.offset(value, line: index + 1)
                } else {
                    set(name, value)
                }
                continue
            }
            let words = Self.withoutWordTimes(rest)
            if words.isEmpty, times.isEmpty {
                isEmptyBefore = true
                continue
            }
            if isEmptyBefore { placed.append(Placed(time: time, line: .init(""))) }
            isEmptyBefore = false
            size += words.utf8.count * max(1, times.count)
            guard placed.count + times.count < Self.maximumLineCount, size <= 4 * Self.maximumSize else {
                throw EarshotError(
                    .metadataInvalid,
                    "Line \(index + 1): the lyrics exceed 10,000 lines or 4 MiB of words: check that the file holds lyrics."
                )
            }
            if times.isEmpty {
                placed.append(Placed(time: time, line: .init(words)))
            } else {
                time = times[0]
                placed += times.map { Placed(time: $0, line: .init(words), isTimed: true) }
            }
        }
        lines = Self.tidied(placed, offset: offset)
        guard lines.contains(where: { !$0.text.isEmpty }) else {
            throw EarshotError(.metadataInvalid, "The file holds no words of lyrics: leave it out.")
        }
    }

    // MARK: - Lines

    private struct Placed {
        /// Milliseconds, for the order; below zero before the first time.
        var time: Int64
        var line: Lyrics.Line
        var isTimed = false
    }

    private static func tidied(_ placed: [Placed], offset: Int64) -> [Lyrics.Line] {
        let sorted = placed.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        var lines: [Lyrics.Line] = []
        for item in sorted {
            var line = item.line
            // Nothing comes before the beginning.
            if item.isTimed { line.start = MediaTime(value: max(0, item.time - offset), timescale: 1_000) }
            // One empty line is enough.
            if line.text.isEmpty, lines.last?.text.isEmpty ?? true { continue }
            lines.append(line)
        }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
        return lines
    }

    private mutating func set(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        switch name {
        case "ar": artist = artist ?? value
        case "ti": title = title ?? value
        case "al": album = album ?? value
        case "la": language = language ?? ISOCodes.language(value)
        case "au": author = author ?? value
        case "by": maker = maker ?? value
        default: break
        }
    }

    // MARK: - Text

    private static func text(_ bytes: Data) throws(EarshotError) -> String {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        let text = isUTF16 ? String(data: bytes, encoding: .utf16) : String(validating: body, as: UTF8.self)
        guard let text, !text.utf8.contains(0) else {
            throw EarshotError(.metadataInvalid, "The lyrics are not UTF-8: save the file as UTF-8.")
        }
        // The mark is no part of the first line.
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    /// The time at the begin of a line, in milliseconds, and what stands behind it.
    private static func time(_ text: Substring) -> (Int64, Substring)? {
        guard text.first == "[", let close = text.firstIndex(of: "]"),
            let time = milliseconds(text[text.index(after: text.startIndex)..<close])
        else { return nil }
        return (time, text[text.index(after: close)...].drop { $0 == " " || $0 == "\t" })
    }

    /// `mm:ss`, `mm:ss.x`, `mm:ss.xx`, `mm:ss.xxx`, `mm:ss:xx`.
    private static func milliseconds(_ text: Substring) -> Int64? {
        let parts = text.split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == ":" || $0 == "." || $0 == "," }
        guard parts.count >= 2, text.contains(":"), (1...3).contains(parts[0].utf8.count),
            (1...2).contains(parts[1].utf8.count), let minutes = FieldText.count(parts[0]),
            let seconds = FieldText.count(parts[1]), seconds < 60
        else { return nil }
        let whole = Int64(minutes * 60 + seconds) * 1_000
        guard parts.count == 3 else { return whole }
        guard (1...3).contains(parts[2].utf8.count), let fraction = FieldText.count(parts[2]) else { return nil }
        return whole + Int64(fraction) * [100, 10, 1][parts[2].utf8.count - 1]
    }

    /// A tag alone on its line: two or more letters, a colon and a value.
    private static func tag(_ text: Substring) -> (String, String)? {
        guard text.first == "[", text.last == "]", let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[text.index(after: text.startIndex)..<colon].lowercased()
        // Anything longer may be words: `[Chorus: all together]`.
        let known: Set = ["ar", "ti", "al", "la", "au", "by", "offset", "length", "re", "ve", "id", "encoding", "tool"]
        guard known.contains(name) else { return nil }
        let value = text[text.index(after: colon)...].dropLast().trimmingCharacters(in: .whitespaces)
        return (name, value)
    }

    private static func offset(_ text: String, line: Int) throws(EarshotError) -> Int64 {
        guard let offset = Int64(text), offset.magnitude <= 360_000_000 else {
            throw EarshotError(
                .metadataInvalid,
                "Line \(line): the offset \"\(text.prefix(20))\" is no number of milliseconds: write [offset:250]."
            )
        }
        return offset
    }

    /// Words without their own times, `<00:12.34>`.
    private static func withoutWordTimes(_ text: Substring) -> String {
        guard text.contains("<") else { return String(text) }
        var words = ""
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            words += rest[..<open]
            rest = rest[open...]
            if let close = rest.firstIndex(of: ">"), milliseconds(rest[rest.index(after: open)..<close]) != nil {
                rest = rest[rest.index(after: close)...]
            } else {
                words += "<"
                rest = rest.dropFirst()
            }
        }
        words += rest
        return words.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
}
