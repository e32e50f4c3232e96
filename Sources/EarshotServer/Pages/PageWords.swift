/// The texts of pages in the language of a reader.
struct PageWords: Sendable {
    let texts: PageTexts.Language

    /// Returns the text with a name such as `search.title`, with values in place of their names in braces; the name itself if there is no such
    /// text.
    func callAsFunction(_ name: String, _ values: [String: String] = [:]) -> String {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let text = texts[parts[0]]?[parts[1]] else { return name }
        // In one pass, because a value may contain braces itself.
        var result = ""
        var rest = text[...]
        while let begin = rest.firstIndex(of: "{"), let end = rest[begin...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: begin)..<end])
            result.append(contentsOf: rest[..<begin])
            result.append(values[name] ?? "{\(name)}")
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
