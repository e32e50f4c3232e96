import Foundation

/// A name of a file or folder that every common file system supports.
package struct FileName {
    /// Bytes of one name at most.
    static let mostBytes = 255
    /// Names of devices on Windows, with any suffix.
    private static let reserved: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] }
    )

    /// The name before its suffix.
    let stem: String
    /// The suffix with its dot, or nothing.
    let suffix: String

    /// Creates a name from a valid file name.
    package init(_ name: String) {
        let suffix = (name as NSString).pathExtension
        self.suffix = suffix.isEmpty ? "" : "." + suffix
        stem = String(name.dropLast(self.suffix.count))
    }

    /// A name of text that may hold anything.
    ///
    /// - Parameters:
    ///   - text: The wish.
    ///   - suffix: The suffix with its dot, or nothing.
    init(text: String, suffix: String = "") {
        self.suffix = suffix
        stem = Self.fit(Self.clean(text), to: Self.mostBytes - suffix.utf8.count)
    }

    /// The whole name, with its extension.
    package var text: String { stem + suffix }

    /// Returns the name with a number such as ` (2)` before the extension, for a file whose name is taken; the name
    /// itself for 1.
    package func numbered(_ number: Int) -> String {
        guard number > 1 else { return text }
        let mark = " (\(number))"
        return Self.fit(stem, to: Self.mostBytes - suffix.utf8.count - mark.utf8.count) + mark + suffix
    }

    /// Takes out what a file system or a shell trips over.
    ///
    /// Scalar by scalar, as file systems see names: a slash with an accent is one letter to Swift, and ends a folder all the same.
    private static func clean(_ text: String) -> String {
        var name = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "/", "\\", ":": name.append("-")
            case "\"": name.append("'")
            case "<", ">", "|", "?", "*": name.append("_")
            default:
                // Controls are no letters of any script; joiners and marks belong to some.
                if scalar.properties.generalCategory != .control { name.append(scalar) }
            }
        }
        name = trimmed(name)
        // A dot first hides a file.
        if name.first == "." { name.replaceSubrange(name.startIndex...name.startIndex, with: CollectionOfOne("_")) }
        let base = name.prefix { $0 != "." }
        if reserved.contains(String(base).uppercased()) { name.insert("_", at: base.endIndex) }
        return String(name)
    }

    /// Without spaces at either end, and without dots at the end, which Windows drops.
    private static func trimmed(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var name = text[...]
        while let first = name.first, first.properties.isWhitespace { name.removeFirst() }
        while let last = name.last, last.properties.isWhitespace || last == "." { name.removeLast() }
        return String.UnicodeScalarView(name)
    }

    /// Cut so that no letter is torn.
    private static func fit(_ text: String, to bytes: Int) -> String {
        var name = text
        while name.utf8.count > bytes, !name.isEmpty { name.removeLast() }
        return name.utf8.count == text.utf8.count ? name : String(trimmed(name.unicodeScalars))
    }
}
