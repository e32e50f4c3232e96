public import Foundation

/// The forms of files in which timed content is read and written. `Docs/formats/timed-content.md` says what each can hold.
public enum TimedContentFormat: String, CaseIterable, Hashable, Sendable {
    /// The form of this package, which holds everything.
    case json
    /// WebVTT: cues of text, or of metadata as JSON.
    case vtt
    /// LRC lyrics, with times of words where there are any.
    case lrc
    /// Podcast chapters as JSON, version 1.2.
    case chapters
    /// A table with a header: comma, semicolon or tab.
    case csv
    /// Chapters in FFmpeg's text form of metadata, which it puts into media files.
    case ffmetadata

    /// The largest file that is read, in bytes: 64 MiB.
    public static let maximumFileSize = 64 << 20

    /// The format of a file's suffix. A JSON file may also contain chapters, which its content shows.
    public init?(suffixOf name: String) {
        let suffix = name.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
        switch suffix {
        case "json": self = .json
        case "vtt", "webvtt": self = .vtt
        case "lrc", "elrc": self = .lrc
        case "csv", "tsv", "tab": self = .csv
        case "ffmetadata", "ffmeta": self = .ffmetadata
        default: return nil
        }
    }

    /// The form of a file's content, with its suffix where the content does not say.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The file's name.
    /// - Returns: `nil` if neither says.
    public static func detect(_ data: Data, name: String? = nil) -> TimedContentFormat? {
        guard let text = try? TextLines(data) else { return name.flatMap(TimedContentFormat.init(suffixOf:)) }
        return detect(text, name: name)
    }

    static func detect(_ text: TextLines, name: String?) -> TimedContentFormat? {
        let suffix = name.flatMap(TimedContentFormat.init(suffixOf:))
        guard let first = text.lines.first(where: { !$0.isBlank }) else { return suffix }
        let line = first.trimmed
        if line.hasPrefix("WEBVTT") { return .vtt }
        if line.hasPrefix(";FFMETADATA") { return .ffmetadata }
        if suffix == nil || suffix == .json {
            let isObject = line.utf8.first == UInt8(ascii: "{")
            let rest = line.dropFirst().trimmed
            if isObject, text.lines.contains(where: { $0.holds("\"chapters\"") }),
                !text.lines.contains(where: { $0.holds("\"entries\"") })
            {
                return .chapters
            }
            if isObject || (line.utf8.first == UInt8(ascii: "[") && (rest.isEmpty || rest.hasPrefix("{"))) {
                return .json
            }
        }
        if let suffix { return suffix }
        if line.hasPrefix("["), line.contains(":") { return .lrc }
        return CSVTable.looksLikeHeader(line) ? .csv : nil
    }
}
