import EarshotCore

/// A fault in timed content, without the name of its source.
struct TimedContentFault: Error {
    /// The position in the content: `line 12`, `entries[3].start`.
    var place: String?
    /// The index of the entry, from 0.
    var entry: Int?
    /// One sentence with the remedy.
    var message: String

    init(place: String? = nil, entry: Int? = nil, _ message: String) {
        self.place = place
        self.entry = entry
        self.message = message
    }

    /// A fault on a line, counted from 1.
    init(line: Int, _ message: String) {
        self.init(place: "line \(line)", message)
    }

    /// The error as callers see it.
    func error(in name: String? = nil) -> EarshotError {
        let sentence = [[name, place].compactMap(\.self).joined(separator: ", "), message].filter { !$0.isEmpty }
            .joined(separator: ": ")
        // Before a line stands nothing else only where the content has no name.
        let isLine = name == nil && place?.hasPrefix("line ") == true
        return EarshotError(.timelineInvalid, isLine ? "L" + sentence.dropFirst() : sentence)
    }
}
