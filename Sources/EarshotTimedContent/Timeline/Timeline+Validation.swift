import EarshotCatalogs
import EarshotCore
import Foundation

extension Timeline {
    /// The checked timeline, or the fault of the first entry that breaks a rule.
    static func checked(
        _ entries: [TimedEntry],
        reference: ReferenceID?,
        metadata: [String: PropertyValue]
    ) throws(TimedContentFault) -> Timeline {
        guard entries.count <= maximumEntryCount else {
            throw TimedContentFault(
                "The timeline has \(entries.count) entries, and 100,000 are allowed: split it."
            )
        }
        try check(metadata, of: "The timeline")
        if let reference, !(1...512).contains(reference.rawValue.utf8.count) {
            throw TimedContentFault(
                "The name of the reference has \(reference.rawValue.utf8.count) bytes: use 1 to 512, or leave it out."
            )
        }
        var ids: Set<String> = []
        for (index, entry) in entries.enumerated() {
            do throws(TimedContentFault) {
                try check(entry)
                guard ids.insert(entry.id).inserted else {
                    throw TimedContentFault("The id \"\(entry.id)\" is given twice: give each entry an id of its own.")
                }
            } catch {
                throw TimedContentFault(entry: index, error.message)
            }
        }
        return Timeline(checked: entries, reference: reference, metadata: metadata)
    }

    private static func check(_ entry: TimedEntry) throws(TimedContentFault) {
        guard (1...maximumIDSize).contains(entry.id.utf8.count) else {
            throw TimedContentFault(
                "The id of the entry \"\(entry.title.prefix(40))\" has \(entry.id.utf8.count) bytes: use 1 to 256."
            )
        }
        let name = "The entry \"\(entry.id)\""
        try check(entry.start, is: "begins", name)
        guard lanes.contains(entry.lane) else {
            throw TimedContentFault("\(name) is in lane \(entry.lane): use lanes 0 to 255.")
        }
        guard entry.title.utf8.count <= maximumTextSize else {
            throw TimedContentFault("\(name) has a title of more than 65,536 bytes: shorten it.")
        }
        let start = entry.start.inMicroseconds
        let end = entry.end?.inMicroseconds
        if let end {
            try check(end, is: "ends", name)
            guard end > start else {
                throw TimedContentFault(
                    "\(name) ends at \(text(end)) and begins at \(text(start)): give it a later end, or none."
                )
            }
        }
        try check(entry.payload, of: name)
        try checkParts(of: entry, name: name, start: start, end: end)
        guard let range = entry.answerRange else {
            guard !entry.requiresAnswer else {
                throw TimedContentFault(
                    "\(name) requires an answer and has no answer range: add one, or take the flag away."
                )
            }
            return
        }
        try check(range.lowerBound, is: "takes answers", name)
        try check(range.upperBound, is: "takes answers", name)
        let (lower, upper) = (range.lowerBound.inMicroseconds, range.upperBound.inMicroseconds)
        guard lower < upper else {
            throw TimedContentFault("\(name) has an answer range of no length: let it end after \(text(lower)).")
        }
        guard lower >= start, end.map({ upper <= $0 }) ?? true else {
            throw TimedContentFault(
                "\(name) takes answers from \(text(lower)) to \(text(upper)), outside its own time: move the answer range "
                    + "or the entry."
            )
        }
    }

    private static func checkParts(
        of entry: TimedEntry,
        name: String,
        start: MediaTime,
        end: MediaTime?
    ) throws(TimedContentFault) {
        guard entry.parts.count <= maximumPartCount else {
            throw TimedContentFault("\(name) has \(entry.parts.count) parts, and 1,000 are allowed: split the entry.")
        }
        var ids: Set<String> = []
        for part in entry.parts {
            guard (1...maximumIDSize).contains(part.id.utf8.count) else {
                throw TimedContentFault("\(name) has a part whose id has \(part.id.utf8.count) bytes: use 1 to 256.")
            }
            let partName = "The part \"\(part.id)\" of the entry \"\(entry.id)\""
            guard ids.insert(part.id).inserted else {
                throw TimedContentFault("\(partName) is given twice: give each part an id of its own.")
            }
            try check(part.start, is: "begins", partName)
            guard (part.title ?? "").utf8.count <= maximumTextSize else {
                throw TimedContentFault("\(partName) has a title of more than 65,536 bytes: shorten it.")
            }
            let time = part.start.inMicroseconds
            guard time >= start, end.map({ time < $0 }) ?? true else {
                throw TimedContentFault(
                    "\(partName) begins at \(text(time)), outside its entry: move the part or the entry."
                )
            }
            try check(part.payload, of: partName)
        }
    }

    private static func check(_ time: MediaTime, is verb: String, _ name: String) throws(TimedContentFault) {
        guard time.isNumeric else { throw TimedContentFault("\(name) \(verb) at no time: give it one in seconds.") }
        guard time >= .zero else {
            throw TimedContentFault("\(name) \(verb) at \(time.seconds) s: times are counted from 0 on.")
        }
        // What begins needs some time before the end of time.
        guard verb == "begins" ? time.inMicroseconds < maximumTime : time <= maximumTime else {
            throw TimedContentFault("\(name) \(verb) at \(time.seconds) s: times end at 360,000 s.")
        }
    }

    private static func check(_ payload: [String: PropertyValue], of name: String) throws(TimedContentFault) {
        for (key, value) in payload.sorted(by: { $0.key < $1.key }) {
            try check(key: key, at: key, of: name)
            try check(value, at: key, depth: 1, of: name)
        }
    }

    private static func check(key: String, at path: String, of name: String) throws(TimedContentFault) {
        guard (1...128).contains(key.utf8.count) else {
            throw TimedContentFault(
                "\(name) has a value at \"\(path.prefix(60))\" whose name has \(key.utf8.count) bytes: use 1 to 128."
            )
        }
    }

    private static func check(
        _ value: PropertyValue,
        at path: String,
        depth: Int,
        of name: String
    ) throws(TimedContentFault) {
        guard depth <= maximumPayloadDepth else {
            throw TimedContentFault("\(name) has a value nested deeper than 24 levels: make it flatter.")
        }
        switch value {
        case .string(let text) where text.utf8.count > maximumTextSize:
            throw TimedContentFault("\(name) has a text of more than 65,536 bytes at \(path): shorten it.")
        case .real(let number) where !number.isFinite:
            throw TimedContentFault("\(name) has a number at \(path) that is not finite: leave it out.")
        case .date(let date) where !date.timeIntervalSinceReferenceDate.isFinite:
            throw TimedContentFault("\(name) has a date at \(path) that is not finite: leave it out.")
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try check(element, at: "\(path)[\(index)]", depth: depth + 1, of: name)
            }
        case .dictionary(let members):
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                try check(key: key, at: "\(path).\(key)", of: name)
                try check(member, at: "\(path).\(key)", depth: depth + 1, of: name)
            }
        default: break
        }
    }

    private static func text(_ time: MediaTime) -> String { TimeText.string(time) }
}
