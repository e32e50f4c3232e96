/// Builds an XML document. All text is escaped, and characters that XML does not allow are left out.
package struct XMLText {
    /// The document so far, in UTF-8.
    package var bytes: [UInt8] = []
    private var depth = 0

    /// Creates an empty document.
    package init() {}

    /// Appends text that is markup, without escaping.
    package mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends the start tag of an element on a new line. Attributes whose value is `nil` are left out.
    package mutating func begin(_ name: String, _ attributes: [(String, String?)] = []) {
        tag(name, attributes)
        append(raw: ">\n")
        depth += 1
    }

    /// Appends the end tag of the current element.
    package mutating func end(_ name: String) {
        depth -= 1
        append(raw: indentation + "</\(name)>\n")
    }

    /// Appends an element on a new line, with text, or empty if the text is `nil`.
    package mutating func element(_ name: String, _ text: String?, _ attributes: [(String, String?)] = []) {
        tag(name, attributes)
        guard let text else { return append(raw: " />\n") }
        append(raw: ">")
        append(escaping: text, isAttribute: false)
        append(raw: "</\(name)>\n")
    }

    private var indentation: String { String(repeating: "  ", count: depth) }

    private mutating func tag(_ name: String, _ attributes: [(String, String?)]) {
        append(raw: indentation + "<" + name)
        for case (let key, let value?) in attributes {
            append(raw: " \(key)=\"")
            append(escaping: value, isAttribute: true)
            append(raw: "\"")
        }
    }

    private mutating func append(escaping text: String, isAttribute: Bool) {
        append(raw: MarkupText.xml(text, isAttribute: isAttribute))
    }
}
