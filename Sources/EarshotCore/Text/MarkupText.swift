/// Text of others in XML and HTML.
///
/// Everything here goes by Unicode scalars: readers end a tag at `<` whatever stands before or behind it, while Swift joins
/// the sign with a combining mark or a sign such as U+0600 to one character.
package enum MarkupText {
    /// The references for the signs that have a meaning between tags. `>` is one: it may not stand behind two brackets.
    package static let references: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]

    /// Escapes text for HTML, between tags or in an attribute with quotation marks.
    package static func html(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "\"": "&quot;"
            case "'": "&#39;"
            case "\n", "\t", "\r": nil
            // XML has no others, and nobody sees them.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }

    /// Escapes text for XML 1.0.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - isAttribute: `true` if the text is in an attribute with quotation marks.
    ///   - replacement: The text for each character that XML cannot hold.
    package static func xml(_ text: String, isAttribute: Bool = false, replacement: String = "") -> String {
        escaped(text) { scalar in
            switch scalar {
            case "\"" where isAttribute: "&quot;"
            case "\r": "&#13;"
            // Readers make spaces of them in attributes, and one line break of any in texts.
            case "\n" where isAttribute, "\t" where isAttribute: "&#\(scalar.value);"
            case "\n", "\t": nil
            case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": replacement
            default: nil
            }
        }
    }

    /// Escapes the signs that have references, and what else has a replacement.
    private static func escaped(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replacement = references[scalar] ?? replacement(scalar) {
                escaped.append(contentsOf: replacement.unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
