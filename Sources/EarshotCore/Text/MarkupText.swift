/// Escapes text for XML and HTML.
///
/// All functions work on Unicode scalars: readers end a tag at `<` whatever precedes or follows it, while Swift joins
/// it with a combining mark or a character such as U+0600 to one character.
package enum MarkupText {
    /// The character references that replace `&`, `<` and `>`. `>` may not follow two brackets in XML, so it is
    /// replaced too.
    package static let references: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]

    /// Escapes text for HTML, between tags or in a quoted attribute.
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
    ///   - text: The text.
    ///   - isAttribute: `true` for the value of a quoted attribute.
    ///   - replacement: The text that replaces each character that XML does not allow.
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
