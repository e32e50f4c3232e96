import EarshotCatalogs
import EarshotCore

/// Chapters in FFmpeg's text form of metadata. `ffmpeg -i media -i chapters.ffmetadata -map_metadata 1 -codec copy out`
/// puts them into a media file.
enum FFMetadata {
    // MARK: - Reading

    private struct Chapter {
        let line: Int
        var scale: (Int64, Int64) = (1, 1_000_000_000)
        var start: Int64?
        var end: Int64?
        var entry = TimedEntry(id: "", title: "", start: .zero)

        func finished() throws(TimedContentFault) -> TimedEntry {
            guard let start else { throw TimedContentFault(line: line, "the chapter has no START: add one.") }
            var entry = entry
            entry.start = time(start)
            entry.end = end.map(time)
            return entry
        }

        private func time(_ value: Int64) -> MediaTime {
            MediaTime(timedSeconds: Double(value) * Double(scale.0) / Double(scale.1))
        }
    }

    static func read(_ text: TextLines) throws(TimedContentFault) -> TimelineDraft {
        guard text.lines.first?.hasPrefix(";FFMETADATA") ?? false else {
            throw TimedContentFault(
                line: 1,
                "the file does not begin with ;FFMETADATA1: add that line, or name its form."
            )
        }
        var draft = TimelineDraft()
        var chapter: Chapter?
        var isOther = false
        var place = 0
        while place < text.lines.count {
            let number = place + 1
            var line = text.lines[place]
            place += 1
            guard let first = line.utf8.first, first != UInt8(ascii: ";"), first != UInt8(ascii: "#") else { continue }
            // A line that ends in an escape goes on in the next.
            while isOpen(line), place < text.lines.count {
                line += "\n" + text.lines[place]
                place += 1
            }
            if first == UInt8(ascii: "[") {
                if let chapter { try draft.append(chapter.finished(), line: chapter.line) }
                isOther = !line.hasPrefix("[CHAPTER]")
                chapter = isOther ? nil : Chapter(line: number)
                continue
            }
            guard let (name, value) = pair(line) else {
                throw TimedContentFault(line: number, "no = in the line: write name=value.")
            }
            if chapter != nil {
                try set(name, value, in: &chapter, line: number)
            } else if !isOther, !name.isEmpty {
                draft.metadata[name] = .string(value)
            }
        }
        if let chapter { try draft.append(chapter.finished(), line: chapter.line) }
        return draft
    }

    private static func set(
        _ name: String,
        _ value: String,
        in chapter: inout Chapter?,
        line: Int
    ) throws(TimedContentFault) {
        func number(_ text: some StringProtocol) throws(TimedContentFault) -> Int64 {
            guard let number = Int64(text) else {
                throw TimedContentFault(line: line, "\(name) is \"\(value.prefix(20))\": write whole numbers.")
            }
            return number
        }
        switch name {
        case "TIMEBASE":
            let parts = value.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw TimedContentFault(line: line, "TIMEBASE is no fraction: write 1/1000.")
            }
            let scale = (try number(parts[0]), try number(parts[1]))
            guard scale.0 > 0, scale.1 > 0 else {
                throw TimedContentFault(line: line, "TIMEBASE is not above zero: write 1/1000.")
            }
            chapter?.scale = scale
        case "START": chapter?.start = try number(value)
        case "END": chapter?.end = try number(value)
        case "title": chapter?.entry.title = value
        default: if !name.isEmpty { chapter?.entry.payload[name] = .string(value) }
        }
    }

    /// Returns `true` if a line ends with an escape that has nothing behind it.
    private static func isOpen(_ line: String) -> Bool {
        line.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    private static func pair(_ line: String) -> (String, String)? {
        var parts: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in line.utf8 {
            if isEscaped {
                parts[parts.count - 1].append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "="), parts.count == 1 {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
        }
        guard parts.count == 2 else { return nil }
        return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }

    // MARK: - Writing

    static func text(of timeline: Timeline) -> String {
        var text = ";FFMETADATA1\n" + tags(timeline.metadata)
        for (index, entry) in timeline.entries.enumerated() {
            text += "[CHAPTER]\nTIMEBASE=1/1000000\nSTART=\(entry.start.inMicroseconds.value)\n"
            text += "END=\(timeline.closedEnd(of: index).inMicroseconds.value)\ntitle=\(escaped(entry.title))\n"
            text += tags(entry.payload.filter { !["TIMEBASE", "START", "END", "title"].contains($0.key) })
        }
        return text
    }

    private static func tags(_ members: [String: PropertyValue]) -> String {
        members.sorted { $0.key < $1.key }.compactMap { name, value in
            // A name that begins with a bracket would begin a section.
            guard let value = value.string, name.utf8.first != UInt8(ascii: "["), !name.isEmpty else { return nil }
            return "\(escaped(name))=\(escaped(value))\n"
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        // Lines end with a line feed only.
        for byte in text.exchanging("\r\n", for: "\n").exchanging("\r", for: "\n").utf8 {
            if "=;#\\\n".utf8.contains(byte) { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
