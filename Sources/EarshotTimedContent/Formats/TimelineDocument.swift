import EarshotCatalogs
import EarshotCore

/// The form of this package.
enum TimelineDocument {
    static func read(_ text: String) throws(TimedContentFault) -> TimelineDraft {
        let reader = PropertyReader(value: try PropertyValue(json: text))
        var draft = TimelineDraft()
        let entries: [TimedEntry]
        do throws(PropertyReader.Fault) {
            (entries, draft.reference, draft.metadata) = try Timeline.parts(reader)
        } catch {
            throw TimedContentFault(error.sentence)
        }
        let list = reader.value.array == nil ? "entries" : ""
        for (index, entry) in entries.enumerated() { try draft.append(entry, at: "\(list)[\(index)]") }
        return draft
    }
}
