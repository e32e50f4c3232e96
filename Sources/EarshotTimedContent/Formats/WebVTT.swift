import EarshotCatalogs
import EarshotCore

/// WebVTT: a cue is an entry; what is more than text stands in the cue as a JSON object.
enum WebVTT {
    /// Under this name in the payload: the settings of a cue.
    static let settings = "settings"

    // MARK: - Reading

    static func read(_ text: TextLines) throws(TimedContentFault) -> TimelineDraft {
        let lines = text.lines
        guard let header = lines.first, header.hasPrefix("WEBVTT"),
            header.utf8.dropFirst(6).first.map({ $0 == 0x20 || $0 == 0x09 }) ?? true
        else {
            throw TimedContentFault(line: 1, "the file does not begin with WEBVTT: add that line, or name its form.")
        }
        var draft = TimelineDraft()
        // What belongs to the header ends with the first blank line.
        var place = lines.firstIndex { $0.isEmpty } ?? lines.count
        while place < lines.count {
            guard !lines[place].isEmpty else {
                place += 1
                continue
            }
            let end = lines[place...].firstIndex { $0.isEmpty } ?? lines.count
            let block = lines[place..<end]
            if !isComment(block[place]) { try addCue(block, to: &draft) }
            place = end
        }
        return draft
    }

    private static func isComment(_ line: String) -> Bool {
        if line.holds("-->") { return false }
        let word = line.words.first
        return line.utf8.first != 0x20 && (word == "NOTE" || line.trimmed == "STYLE" || line.trimmed == "REGION")
    }

    private static func addCue(_ block: ArraySlice<String>, to draft: inout TimelineDraft) throws(TimedContentFault) {
        guard let timing = block.prefix(2).firstIndex(where: { $0.holds("-->") }) else {
            throw TimedContentFault(
                line: block.startIndex + 1,
                "a cue without a line of times: write 00:00:01.000 --> 00:00:02.000 above its text."
            )
        }
        let line = timing + 1
        var fields = block[timing].words
        // The arrow may stand close to the times.
        if fields.count < 3 || fields[1] != "-->" {
            fields = block[timing].exchanging("-->", for: " --> ", atMost: 1).words
        }
        guard fields.count >= 3, fields[1] == "-->", let start = TimeText.clock(fields[0]),
            let end = TimeText.clock(fields[2])
        else {
            throw TimedContentFault(line: line, "no times of a cue: write them as 00:00:01.000 --> 00:00:02.000.")
        }
        var entry = try entry(block[(timing + 1)...].joined(separator: "\n"), start: start, line: line + 1)
        if timing > block.startIndex { entry.id = block[block.startIndex] }
        entry.end = end
        if fields.count > 3 { entry.payload[settings] = .string(fields.dropFirst(3).joined(separator: " ")) }
        try draft.append(entry, line: line)
    }

    /// The entry of a cue's text. JSON that does not describe an entry is its payload.
    private static func entry(_ text: String, start: MediaTime, line: Int) throws(TimedContentFault) -> TimedEntry {
        guard text.first == "{", let value = try? PropertyValue(json: text), let members = value.dictionary
        else { return TimedEntry(id: "", title: CueText.plain(text), start: start) }
        let reader = PropertyReader(value: value)
        if Set(members.keys).isSubset(of: cueMembers), members["title"] != nil {
            do throws(PropertyReader.Fault) {
                var entry = try TimedEntry(reader, number: 0, start: start)
                if members["id"] == nil { entry.id = "" }
                return entry
            } catch {
                throw TimedContentFault(line: line, error.sentence)
            }
        }
        let title = ["title", "text", "name"].lazy.compactMap { members[$0]?.string }.first
        return TimedEntry(id: "", title: title ?? "", start: start, payload: members)
    }

    private static let cueMembers: Set<String> = [
        "id", "title", "lane", "parts", "answerRange", "requiresAnswer", "payload",
    ]

    // MARK: - Writing

    static func text(of timeline: Timeline) throws -> String {
        var text = "WEBVTT\n"
        for (index, entry) in timeline.entries.enumerated() {
            // Outwards, so that parts and answers stay inside.
            let start = milliseconds(entry.start, .towardNegativeInfinity)
            let end = milliseconds(timeline.closedEnd(of: index), .towardPositiveInfinity)
            var payload = entry.payload
            var tail = ""
            if let setting = payload[settings]?.string, isSettings(setting) {
                payload[settings] = nil
                tail = " \(setting)"
            }
            let hasLine = isIDLine(entry.id)
            text += "\n" + (hasLine ? entry.id + "\n" : "")
            text += "\(TimeText.clock(milliseconds: start)) --> \(TimeText.clock(milliseconds: end))\(tail)\n"
            let isPlain =
                hasLine && payload.isEmpty && entry.lane == 0 && entry.parts.isEmpty && entry.answerRange == nil
            if isPlain, let cue = CueText.cue(entry.title) {
                text += cue + "\n"
            } else {
                var members = entry.propertyValue.dictionary ?? [:]
                members["start"] = nil
                members["end"] = nil
                members["payload"] = payload.isEmpty ? nil : .dictionary(payload)
                if hasLine { members["id"] = nil }
                // The arrow is the mark of a line of times wherever it stands.
                text += try JSONValue(document: .dictionary(members)).text().exchanging("-->", for: "--\\u003e") + "\n"
            }
        }
        return text
    }

    private static func milliseconds(_ time: MediaTime, _ rounding: MediaTime.Rounding) -> Int64 {
        time.converted(toTimescale: 1000, rounding: rounding).value
    }

    private static func isIDLine(_ id: String) -> Bool {
        !id.holds("-->") && id.onOneLine == id && !isComment(id)
    }

    private static func isSettings(_ text: String) -> Bool {
        !text.isEmpty && text.onOneLine == text && !text.holds("-->")
            && text.words.joined(separator: " ") == text
    }
}

/// The text of a cue, which has marks of its own.
enum CueText {
    private static let names = ["&lt;": "<", "&gt;": ">", "&nbsp;": "\u{A0}", "&lrm;": "\u{200E}", "&rlm;": "\u{200F}"]

    /// The text without marks.
    static func plain(_ cue: String) -> String {
        var text = ""
        var isTag = false
        for scalar in cue.unicodeScalars {
            switch scalar {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { text.unicodeScalars.append(scalar) }
            }
        }
        for (name, character) in names { text = text.exchanging(name, for: character) }
        return text.exchanging("&amp;", for: "&")
    }

    /// The text as a cue; `nil` if a cue cannot represent it.
    static func cue(_ text: String) -> String? {
        let cue = text.replacingScalars(MarkupText.references)
        let lines = cue.split(separator: "\n", omittingEmptySubsequences: false)
        guard text.first != "{", lines.allSatisfy({ !$0.isEmpty && !$0.unicodeScalars.contains("\r") }) else {
            return nil
        }
        return cue
    }
}

extension TimeText {
    /// A time of WebVTT: `[hours:]mm:ss.fff`.
    static func clock(_ text: String) -> MediaTime? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, let last = fields.last, last.utf8.count == 6,
            fields.dropLast().allSatisfy({ $0.utf8.count >= 2 }), let time = parse(text),
            fields.count == 3 || fields[0].utf8.count == 2 && fields[0] < "60"
        else { return nil }
        return time
    }

    /// A time of WebVTT, with hours.
    static func clock(milliseconds: Int64) -> String {
        let total = milliseconds.magnitude
        let fields = [total / 3_600_000, total / 60_000 % 60, total / 1000 % 60].map { padded($0, to: 2) }
        return fields.joined(separator: ":") + "." + padded(total % 1000, to: 3)
    }
}
