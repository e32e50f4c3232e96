import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import Foundation
import TestSupport

/// Timelines drawn at random, with nothing that a form cannot hold.
struct RandomTimeline {
    var generator: SeededGenerator
    let format: TimedContentFormat

    /// Units a second that the form holds.
    private var scale: Int64 { [.vtt, .lrc].contains(format) ? 1000 : 1_000_000 }
    private var hasOpenEnds: Bool { format != .vtt && format != .ffmetadata }
    private var hasEverything: Bool { format == .json }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func chance() -> Bool { Bool.random(using: &generator) }

    mutating func text(_ lengths: ClosedRange<Int> = 1...6) -> String {
        var pieces = [
            "a", "Z", "é", "日本", "🎵", "&", "&lt;", "<b>", "\"", "\\", "'", "=", ";", "#", "a,b", "{", "[x]", ":", "-->",
        ]
        if format != .lrc { pieces += [" ", "e\u{301}", "\u{301}", "\t", "\u{2028}", "\n", "\n\n", "NOTE"] }
        if hasEverything || format == .chapters || format == .csv { pieces += ["\r", "\r\n", "\u{0}"] }
        if format == .lrc { pieces = ["a", "Z", "é", "日本", "🎵", "&", "x y", "[b]", "\"", "=", ";", "(x)"] }
        return (0..<number(lengths)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    mutating func value(_ depth: Int = 0) -> PropertyValue {
        switch number(0...(depth > 3 ? 5 : 7)) {
        case 0: .string(text(0...4))
        case 1: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 2: .real(chance() ? Double(number(-9...9)) : Double.random(in: -1e9...1e9, using: &generator))
        case 3: .boolean(chance())
        case 4: .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &generator)))
        case 5: .data(Data((0..<number(0...9)).map { UInt8(truncatingIfNeeded: $0 &* 77) }))
        case 6: .array((0..<number(0...3)).map { _ in value(depth + 1) })
        default: .dictionary(payload(depth + 1))
        }
    }

    mutating func payload(_ depth: Int = 0) -> [String: PropertyValue] {
        var members: [String: PropertyValue] = [:]
        for _ in 0..<number(0...3) {
            let names = [
                "x", "é", "start", "$real", "$data", "$dictionary", "settings", "payload.x", "title", "END", "[a",
                "a=b",
            ]
            members[names.randomElement(using: &generator) ?? "x"] = value(depth)
        }
        return members
    }

    /// What a form that has texts only holds.
    private mutating func texts() -> [String: PropertyValue] {
        var members: [String: PropertyValue] = [:]
        for _ in 0..<number(0...3) {
            let name = ["x", "é", "colour", "payload.x", "a=b", "start"].randomElement(using: &generator) ?? "x"
            members[name] = .string(text())
        }
        return members
    }

    private mutating func chapterMembers() -> [String: PropertyValue] {
        var members: [String: PropertyValue] = [:]
        if chance() { members["img"] = .string(text()) }
        if chance() { members["toc"] = .boolean(chance()) }
        if chance() { members["location"] = ["name": .string(text()), "level": .integer(Int64(number(0...9)))] }
        return members
    }

    private mutating func parts(from start: Int64, to end: Int64) -> [TimedPart] {
        let starts = (0..<number(0...3)).map { _ in Int64.random(in: start..<end, using: &generator) }.sorted()
        return starts.enumerated().map { index, time in
            TimedPart(id: "p\(index)", title: chance() ? text() : nil, start: place(time), payload: payload(2))
        }
    }

    private func place(_ units: Int64) -> MediaTime { MediaTime(value: units, timescale: Int32(scale)) }

    mutating func timeline() throws -> Timeline {
        var entries: [TimedEntry] = []
        var time: Int64 = 0
        // LRCLyrics are one behind the other, other forms may overlap and be in any order.
        for index in 0..<number(0...8) {
            time = format == .lrc ? time + Int64(number(1...9000)) * 2 : Int64(number(0...99_999)) * scale / 7
            let end = time + (format == .lrc ? 1 : Int64(number(1...99_999)))
            let isOpen = hasOpenEnds && chance()
            var entry = TimedEntry(
                id: "\(index + 1)",
                title: text(),
                start: place(time),
                end: isOpen ? nil : place(end)
            )
            switch format {
            case .json, .vtt:
                entry.id = "\(index) \(format == .json ? text() : "é")"
                entry.title = text(0...6)
                entry.lane = number(0...2)
                entry.parts = parts(from: time, to: end)
                if chance() { entry.answerRange = place(time)..<place(end) }
                entry.requiresAnswer = entry.answerRange != nil && chance()
                entry.payload = payload()
            case .csv:
                entry.id = "\(index) \(text())"
                entry.lane = number(0...1)
                if chance() { entry.answerRange = place(time)..<place(end) }
                entry.payload = texts()
            case .chapters: entry.payload = chapterMembers()
            case .ffmetadata: entry.payload = texts()
            case .lrc: if chance() { addWords(to: &entry, at: time) }
            }
            entries.append(entry)
        }
        // Ids that the form does not hold are numbers in the order of the file.
        if ![.json, .vtt, .csv].contains(format) {
            entries.sort { $0.start < $1.start }
            for index in entries.indices { entries[index].id = "\(index + 1)" }
        }
        let metadata: [String: PropertyValue] =
            switch format {
            case .json: payload()
            case .chapters: ["title": .string(text())]
            case .lrc: ["ar": .string("An artist"), "ti": "x"]
            case .ffmetadata: texts()
            case .vtt, .csv: [:]
            }
        return try Timeline(entries, reference: hasEverything && chance() ? "r" : nil, metadata: metadata)
    }

    private mutating func addWords(to entry: inout TimedEntry, at time: Int64) {
        let words = (1...number(1...4)).map { _ in "w\(number(0...99))" }
        entry.title = words.joined(separator: " ")
        entry.parts = words.enumerated().map { TimedPart(id: "\($0 + 1)", title: $1, start: place(time)) }
    }
}
