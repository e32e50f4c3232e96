/// Text of others in an HTML page.
package enum HTMLText {
    /// Escapes text for a place between tags or in an attribute with quotation marks.
    ///
    /// Goes by Unicode scalars: a browser ends a tag at `<` whatever stands before or behind it, while Swift joins it with a
    /// combining mark or a sign such as U+0600 to one character.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t", "\r": escaped.unicodeScalars.append(scalar)
            // XML has no others, and nobody sees them.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
