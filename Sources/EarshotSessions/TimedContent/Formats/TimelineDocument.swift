import EarshotCatalogs
import EarshotCore

/// The form of this package.
enum TimelineDocument {
    static func read(_ text: String) throws(TimedContentFault) -> TimelineDraft {
        let node = try JSONText.read(text)
        let reader = PropertyReader(value: try node.property())
        var draft = TimelineDraft()
        let entries: [TimedEntry]
        do throws(PropertyReader.Fault) {
            (entries, draft.reference, draft.metadata) = try Timeline.parts(reader)
        } catch {
            throw TimedContentFault(line: node.line(at: error.path), error.sentence)
        }
        let list = reader.value.array == nil ? node.node(at: [.name("entries")]) : node
        for (index, entry) in entries.enumerated() {
            try draft.append(entry, line: list.line(at: [.index(index)]))
        }
        return draft
    }
}
