public import EarshotCatalogs
public import EarshotCore

extension Timeline {
    /// The timeline as a property value, in which form a media item contains it under `MediaItemKey.timeline`.
    public var propertyValue: PropertyValue {
        var members: [String: PropertyValue] = ["version": 1, "entries": .array(entries.map(\.propertyValue))]
        if let reference { members["reference"] = .string(reference.rawValue) }
        if !metadata.isEmpty { members["metadata"] = .dictionary(metadata) }
        return .dictionary(members)
    }

    /// Reads a timeline from a property value.
    ///
    /// - Throws: `timelineInvalid`, with the position or entry, if the value is not a timeline.
    public init(propertyValue: PropertyValue) throws(EarshotError) {
        let parts: (entries: [TimedEntry], reference: ReferenceID?, metadata: [String: PropertyValue])
        do throws(PropertyReader.Fault) {
            parts = try Self.parts(PropertyReader(value: propertyValue))
        } catch {
            throw EarshotError(.timelineInvalid, error.sentence)
        }
        try self.init(parts.entries, reference: parts.reference, metadata: parts.metadata)
    }

    /// The unchecked contents of a document: a timeline, or an array of entries.
    static func parts(
        _ reader: PropertyReader
    ) throws(PropertyReader.Fault) -> (
        entries: [TimedEntry], reference: ReferenceID?, metadata: [String: PropertyValue]
    ) {
        guard reader.value.array == nil else { return (try entries(reader), nil, [:]) }
        let members = try reader.members(["format", "version", "reference", "metadata", "entries"])
        if let format = members["format"], format != .string(formatName) {
            throw reader.inside("format", format).fault("must be \"\(formatName)\"")
        }
        if let version = members["version"], version != 1 {
            throw reader.inside("version", version).fault("is not 1, the version that this program knows")
        }
        guard let entries = reader.member("entries") else { throw reader.fault("needs an array \"entries\"") }
        let reference = try reader.member("reference").map { (name) throws(PropertyReader.Fault) in
            ReferenceID(try name.text())
        }
        let metadata = try reader.member("metadata")?.dictionary() ?? [:]
        return (try Self.entries(entries), reference, metadata)
    }

    /// The name in files.
    static let formatName = "earshot-timeline"

    private static func entries(_ reader: PropertyReader) throws(PropertyReader.Fault) -> [TimedEntry] {
        var entries: [TimedEntry] = []
        for element in try reader.elements() {
            entries.append(try TimedEntry(element, number: entries.count + 1))
        }
        return entries
    }
}

extension TimedEntry {
    /// The names of an entry's members.
    static let memberNames: Set<String> = [
        "id", "title", "start", "offset", "end", "lane", "parts", "answerRange", "requiresAnswer", "payload",
    ]

    var propertyValue: PropertyValue {
        var members: [String: PropertyValue] = ["id": .string(id), "title": .string(title), "start": start.property]
        if let end { members["end"] = end.property }
        if lane != 0 { members["lane"] = .integer(Int64(lane)) }
        if !parts.isEmpty { members["parts"] = .array(parts.map(\.propertyValue)) }
        if let answerRange {
            members["answerRange"] = [answerRange.lowerBound.property, answerRange.upperBound.property]
        }
        if requiresAnswer { members["requiresAnswer"] = true }
        if !payload.isEmpty { members["payload"] = .dictionary(payload) }
        return .dictionary(members)
    }

    /// An entry of a document.
    ///
    /// - Parameters:
    ///   - number: Its id where it has none.
    ///   - start: The start, if the value does not state one.
    init(_ reader: PropertyReader, number: Int, start: MediaTime? = nil) throws(PropertyReader.Fault) {
        let members = try reader.members(Self.memberNames)
        guard let begin = try (reader.member("start") ?? reader.member("offset"))?.time() ?? start else {
            throw reader.fault("needs a \"start\" in seconds")
        }
        if let other = members["offset"], members["start"] != nil {
            throw reader.inside("offset", other).fault("stands beside \"start\": keep one of them")
        }
        var parts: [TimedPart] = []
        for element in try reader.member("parts")?.elements() ?? [] {
            parts.append(try TimedPart(element, number: parts.count + 1))
        }
        var range: Range<MediaTime>?
        if let answer = reader.member("answerRange") {
            let bounds = try answer.elements()
            guard bounds.count == 2 else { throw answer.fault("must be two times, begin and end") }
            let (low, high) = (try bounds[0].time(), try bounds[1].time())
            guard low < high else { throw answer.fault("must end after it begins") }
            range = low..<high
        }
        self.init(
            id: try reader.member("id")?.id() ?? String(number),
            title: try reader.member("title")?.text() ?? "",
            start: begin,
            end: try reader.member("end")?.time(),
            lane: try reader.member("lane")?.integer() ?? 0,
            parts: parts,
            answerRange: range,
            requiresAnswer: try reader.member("requiresAnswer")?.boolean() ?? false,
            payload: try reader.member("payload")?.dictionary() ?? [:]
        )
    }
}

extension TimedPart {
    var propertyValue: PropertyValue {
        var members: [String: PropertyValue] = ["id": .string(id), "start": start.property]
        if let title { members["title"] = .string(title) }
        if !payload.isEmpty { members["payload"] = .dictionary(payload) }
        return .dictionary(members)
    }

    init(_ reader: PropertyReader, number: Int) throws(PropertyReader.Fault) {
        _ = try reader.members(["id", "title", "start", "offset", "payload"])
        guard let start = try (reader.member("start") ?? reader.member("offset"))?.time() else {
            throw reader.fault("needs a \"start\" in seconds")
        }
        self.init(
            id: try reader.member("id")?.id() ?? String(number),
            title: try reader.member("title")?.text(),
            start: start,
            payload: try reader.member("payload")?.dictionary() ?? [:]
        )
    }
}

extension MediaTime {
    /// Seconds as a property: whole ones as a whole number.
    var property: PropertyValue {
        let time = inMicroseconds
        return time.value % 1_000_000 == 0 ? .integer(time.value / 1_000_000) : .real(time.seconds)
    }
}
