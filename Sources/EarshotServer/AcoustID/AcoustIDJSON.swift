import EarshotCore
import Foundation

/// Writes answers as JSON, with members in order of their names.
enum AcoustIDJSON {
    static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .string(let text): quoted(text)
        case .integer(let number): String(number)
        case .number(let number): AcoustIDFormat.text(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(text($0.value))" }
                .joined(separator: ", ") + "}"
        }
    }

    /// Returns a text in quotes. Beyond the rules of JSON, U+2028 and U+2029 are escaped, which end strings in old JavaScript, and characters
    /// that would end a script in a page.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}", "<", ">", "&":
                quoted += "\\u" + UInt16(scalar.value).hexadecimal
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
