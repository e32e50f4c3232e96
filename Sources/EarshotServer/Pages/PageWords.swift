/// The texts of pages in the language of a reader.
struct PageWords: Sendable {
    let texts: PageTexts.Language

    /// The text of a name such as `search.title`, with values in place of `{their names}`; the name itself if there is no such text.
    func callAsFunction(_ name: String, _ values: [String: String] = [:]) -> String {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let text = texts[parts[0]]?[parts[1]] else { return name }
        // One pass: a value may have what looks like the name of another.
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
