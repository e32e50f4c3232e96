import EarshotCatalogs
import EarshotCore

/// LRC: lines of lyrics behind their times, `[mm:ss.xx]`; with times of words, `<mm:ss.xx>`, which are parts.
enum LRCLyrics {
    // MARK: - Reading

    static func read(_ text: TextLines) throws(TimedContentFault) -> TimelineDraft {
        var lines: [(start: MediaTime, entry: TimedEntry, line: Int)] = []
        var draft = TimelineDraft()
        var offset = MediaTime.zero
        for (index, line) in text.lines.enumerated() where !line.isBlank {
            let number = index + 1
            let (times, rest) = try times(Substring(line.trimmed).unicodeScalars, line: number)
            if times.isEmpty {
                let (name, value) = try tag(line.trimmed, line: number)
                if name.lowercased() == "offset" {
                    offset = try Self.offset(value, line: number)
                } else if !name.isEmpty {
                    draft.metadata[name] = .string(value)
                }
                continue
            }
            let words = try words(rest, line: number)
            for time in times {
                var entry = TimedEntry(id: "", title: words.text, start: time)
                // Of a line that is sung again the words follow at the same distances.
                let shift = time - times[0]
                for (place, word) in words.words.enumerated() {
                    let start = max(time, word.start + shift)
                    entry.parts.append(TimedPart(id: String(place + 1), title: word.text, start: start))
                }
                entry.end = words.end.map { $0 + shift }.flatMap { $0 > time ? $0 : nil }
                lines.append((time, entry, number))
                guard lines.count <= Timeline.maximumEntryCount * 2 else {
                    throw TimedContentFault(line: number, "more than 100,000 entries: split the file.")
                }
            }
        }
        // A line without text takes the one before it away.
        for item in lines.enumerated().sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }) {
            let (start, entry, line) = item.element
            if entry.title.isEmpty {
                draft.changeLast { last in
                    if last.end == nil, last.start < start { last.end = start }
                }
            } else {
                try draft.append(entry, line: line)
            }
        }
        // A positive offset shows everything sooner, but nothing before the beginning.
        if offset != .zero { draft.changeAll { $0.shift(by: offset) } }
        return draft
    }

    private static func times(
        _ text: Substring.UnicodeScalarView,
        line: Int
    ) throws(TimedContentFault) -> (times: [MediaTime], rest: Substring.UnicodeScalarView) {
        var times: [MediaTime] = []
        var rest = text
        while rest.first == "[", rest.dropFirst().first.map({ ("0"..."9").contains($0) }) ?? false {
            guard let close = rest.firstIndex(of: "]") else {
                throw TimedContentFault(line: line, "a time without its closing bracket: write it as [01:02.34].")
            }
            times.append(try time(Substring(rest[..<close].dropFirst()), line: line))
            rest = rest[rest.index(after: close)...]
        }
        return (times, rest)
    }

    private static func time(_ text: Substring, line: Int) throws(TimedContentFault) -> MediaTime {
        guard text.contains(":"), let time = TimeText.parse(text) else {
            throw TimedContentFault(line: line, "\"\(text.prefix(20))\" is not a time: write it as 01:02.34.")
        }
        return time
    }

    private static func tag(_ line: String, line number: Int) throws(TimedContentFault) -> (String, String) {
        // A line that begins with # or [# is a comment.
        if line.hasPrefix("#") || line.hasPrefix("[#") { return ("", "") }
        let scalars = line.unicodeScalars
        guard scalars.first == "[", scalars.last == "]", let colon = scalars.firstIndex(of: ":") else {
            throw TimedContentFault(line: number, "a line without a time: write one before it, as [01:02.34].")
        }
        let name = Substring(scalars[..<colon].dropFirst()).trimmed
        return (name, Substring(scalars[colon...].dropFirst().dropLast()).trimmed)
    }

    private static func offset(_ text: String, line: Int) throws(TimedContentFault) -> MediaTime {
        guard let value = Int64(text), value.magnitude <= 360_000_000 else {
            throw TimedContentFault(
                line: line,
                "\"\(text.prefix(20))\" is no offset: write milliseconds, as [offset:+250]."
            )
        }
        return MediaTime(value: value, timescale: 1000)
    }

    private struct TokenLine {
        var text = ""
        var words: [(start: MediaTime, text: String)] = []
        var end: MediaTime?
    }

    private static func words(_ text: Substring.UnicodeScalarView, line: Int) throws(TimedContentFault) -> TokenLine {
        var result = TokenLine()
        var plain = ""
        var rest = text
        while !rest.isEmpty {
            let isTime = rest.first == "<" && (rest.dropFirst().first.map { ("0"..."9").contains($0) } ?? false)
            if isTime, let close = rest.firstIndex(of: ">") {
                let start = try time(Substring(rest[..<close].dropFirst()), line: line)
                result.words.append((start, ""))
                rest = rest[rest.index(after: close)...]
            } else {
                let run = rest.dropFirst().firstIndex(of: "<") ?? rest.endIndex
                let piece = String(Substring(rest[..<run]))
                plain += piece
                if !result.words.isEmpty { result.words[result.words.count - 1].text += piece }
                rest = rest[run...]
            }
        }
        // A time with nothing behind it ends the line.
        if let last = result.words.last, last.text.isBlank {
            result.end = last.start
            result.words.removeLast()
        }
        result.words = result.words.filter { !$0.text.isBlank }.map { ($0.start, $0.text.trimmed) }
        // Spaces on both sides of a time are one.
        result.text = plain.words.joined(separator: " ")
        return result
    }

    // MARK: - Writing

    static func text(of timeline: Timeline) -> String {
        var text = ""
        for (name, value) in timeline.metadata.sorted(by: { $0.key < $1.key }) {
            guard let value = value.string, !value.isBlank, name.lowercased() != "offset", isTagName(name) else {
                continue
            }
            text += "[\(name):\(value.onOneLine)]\n"
        }
        let entries = timeline.entries.filter { !$0.title.onOneLine.isEmpty }
        for (index, entry) in entries.enumerated() {
            text += "[\(stamp(entry.start))]\(line(entry))\n"
            let next = index + 1 < entries.count ? entries[index + 1].start : nil
            if let end = entry.end, next.map({ end <= $0 }) ?? true { text += "[\(stamp(end))]\n" }
        }
        return text
    }

    private static func line(_ entry: TimedEntry) -> String {
        let title = entry.title.onOneLine
        let words = entry.parts.map { ($0.title ?? "").onOneLine }
        guard !words.isEmpty, words.joined(separator: " ") == title, !words.contains(where: { $0.contains("<") }) else {
            // Behind a space a bracket begins no time.
            return "[<".unicodeScalars.contains(title.unicodeScalars.first ?? "x") ? " \(title)" : title
        }
        return zip(entry.parts, words).map { "<\(stamp($0.start))>\($1)" }.joined(separator: " ")
    }

    private static func isTagName(_ name: String) -> Bool {
        name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x3A && $0 != 0x5D && $0 != 0x23 }
    }

    /// Minutes and hundredths, or thousandths where they are needed.
    private static func stamp(_ time: MediaTime) -> String {
        let total = time.converted(toTimescale: 1000).value.magnitude
        let fraction = TimeText.padded(total % 1000, to: 3)
        return TimeText.padded(total / 60_000, to: 2) + ":" + TimeText.padded(total / 1000 % 60, to: 2) + "."
            + (fraction.hasSuffix("0") ? String(fraction.dropLast()) : fraction)
    }
}

extension TimedEntry {
    /// Moves everything to an earlier time, at most to the beginning.
    fileprivate mutating func shift(by offset: MediaTime) {
        func moved(_ time: MediaTime) -> MediaTime { max(.zero, time - offset) }
        start = moved(start)
        end = end.map(moved)
        for index in parts.indices { parts[index].start = moved(parts[index].start) }
    }
}
