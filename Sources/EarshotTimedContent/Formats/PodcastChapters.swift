import EarshotCatalogs
import EarshotCore

/// Podcast chapters, version 1.2: a chapter is an entry; what else it has, such as a picture or a place, is its payload.
enum PodcastChapters {
    private static let own: Set<String> = ["startTime", "endTime", "title"]

    static func read(_ text: String) throws(TimedContentFault) -> TimelineDraft {
        let reader = PropertyReader(value: try PropertyValue(json: text))
        var draft = TimelineDraft()
        var chapters: [TimedEntry] = []
        do throws(PropertyReader.Fault) {
            let members = try reader.dictionary()
            guard let list = reader.member("chapters") else { throw reader.fault("needs an array \"chapters\"") }
            draft.metadata = members.filter { $0.key != "chapters" && $0.key != "version" }
            for chapter in try list.elements() {
                let members = try chapter.dictionary()
                guard let start = try chapter.member("startTime")?.time() else {
                    throw chapter.fault("needs a \"startTime\" in seconds")
                }
                chapters.append(
                    TimedEntry(
                        id: "",
                        title: try chapter.member("title")?.text() ?? "",
                        start: start,
                        end: try chapter.member("endTime")?.time(),
                        payload: members.filter { !own.contains($0.key) }
                    )
                )
            }
        } catch {
            throw TimedContentFault(error.sentence)
        }
        for (index, chapter) in chapters.enumerated() { try draft.append(chapter, at: "chapters[\(index)]") }
        return draft
    }

    static func text(of timeline: Timeline) throws -> String {
        var chapters: [PropertyValue] = []
        for entry in timeline.entries {
            var members = entry.payload.filter { !own.contains($0.key) }.mapValues(\.plainReals)
            members["startTime"] = entry.start.property
            if let end = entry.end { members["endTime"] = end.property }
            if !entry.title.isEmpty { members["title"] = .string(entry.title) }
            chapters.append(.dictionary(members))
        }
        var document = timeline.metadata.mapValues(\.plainReals)
        document["version"] = "1.2.0"
        document["chapters"] = .array(chapters)
        return try JSONValue(tagging: .dictionary(document)).text(isPretty: true) + "\n"
    }
}

extension PropertyValue {
    /// The value for readers that do not know the marks of ``JSONValue/init(tagging:)``: whole reals as whole numbers.
    var plainReals: PropertyValue {
        switch self {
        case .real(let number): Int64(exactly: number).map { .integer($0) } ?? self
        case .array(let values): .array(values.map(\.plainReals))
        case .dictionary(let members): .dictionary(members.mapValues(\.plainReals))
        default: self
        }
    }
}
