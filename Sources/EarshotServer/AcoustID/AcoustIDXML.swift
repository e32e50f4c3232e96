import EarshotCore

/// Writes answers as XML. Members become elements in order of their names; entries of a list become elements with the singular of the list's
/// name.
enum AcoustIDXML {
    static func text(_ value: JSONValue) -> String {
        "<?xml version='1.0' encoding='UTF-8'?>\n" + element("response", value)
    }

    private static func element(_ name: String, _ value: JSONValue) -> String {
        let content = content(name, value)
        return content.isEmpty ? "<\(name) />" : "<\(name)>\(content)</\(name)>"
    }

    private static func content(_ name: String, _ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): MarkupText.xml(text, replacement: "\u{FFFD}")
        case .integer(let number): String(number)
        case .number(let number): AcoustIDFormat.text(number)
        case .boolean(let flag): flag ? "True" : "False"
        case .array(let values): values.map { element(singular(name), $0) }.joined()
        case .object(let members): members.sorted { $0.key < $1.key }.map { element($0.key, $0.value) }.joined()
        }
    }

    /// Returns the name of an entry of a list: `result` for `results`, `hash` for `hashes`.
    static func singular(_ name: String) -> String {
        if name.hasSuffix("shes") { return String(name.dropLast(2)) }
        return name.hasSuffix("s") ? String(name.dropLast()) : name
    }
}
