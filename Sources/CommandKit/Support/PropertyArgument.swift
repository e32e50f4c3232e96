package import EarshotCatalogs
import EarshotIngest

/// A property on the command line, `KEY=VALUE`. What reads as a whole number, a real, true or false is one, except under
/// predefined keys, which are text.
package struct PropertyArgument {
    package let key: MediaItemKey
    package let value: PropertyValue

    package init(_ argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        key = MediaItemKey(String(parts[0]))
        let text = parts.count > 1 ? String(parts[1]) : ""
        if ItemValue.textKeys.contains(key) {
            value = .string(text)
        } else if key == .genres {
            value = .array(text.split(separator: ";").map { .string(String($0)) })
        } else if let number = Int64(text) {
            value = .integer(number)
        } else if let number = Double(text), number.isFinite {
            value = .real(number)
        } else if text == "true" || text == "false" {
            value = .boolean(text == "true")
        } else {
            value = .string(text)
        }
    }
}
