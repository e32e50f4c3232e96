public import Foundation

/// The file formats in which timelines are read and written. `Docs/formats/timed-content.md` says what each supports.
public enum TimedContentFormat: String, CaseIterable, Hashable, Sendable {
    /// The JSON format of Earshot, which supports everything.
    case json
    /// WebVTT: cues with text, or with metadata as JSON.
    case vtt
    /// LRC lyrics, with times of words if there are any.
    case lrc
    /// Podcast chapters as JSON, version 1.2.
    case chapters
    /// A table with a header, separated by commas, semicolons or tabs.
    case csv
    /// Chapters in FFmpeg's text format for metadata.
    case ffmetadata

    /// The size of the largest file that is read, in bytes: 64 MiB.
    public static let maximumFileSize = 64 << 20

    /// Returns the format for a file name's extension; `nil` for an unknown one. A `.json` file may also contain
    /// chapters: see ``detect(_:name:)``.
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

    /// Returns the format of a file by its contents, or else by its name.
    ///
    /// - Parameters:
    ///   - data: The contents of the file.
    ///   - name: The name of the file; `nil` if unknown.
    /// - Returns: The format; `nil` if neither shows it.
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
