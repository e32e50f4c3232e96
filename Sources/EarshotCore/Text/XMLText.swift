/// Builds an XML document: every text is escaped, and characters that XML cannot hold are left out.
package struct XMLText {
    /// The document so far, in UTF-8.
    package var bytes: [UInt8] = []
    private var depth = 0

    /// A document without anything in it.
    package init() {}

    /// Text that is markup already.
    package mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

    /// The beginning of an element on a line of its own; attributes without a value are left out.
    package mutating func begin(_ name: String, _ attributes: [(String, String?)] = []) {
        tag(name, attributes)
        append(raw: ">\n")
        depth += 1
    }

    /// The end of the element that was begun last.
    package mutating func end(_ name: String) {
        depth -= 1
        append(raw: indentation + "</\(name)>\n")
    }

    /// An element with a text, or without one.
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
