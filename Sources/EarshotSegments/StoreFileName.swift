/// The form of the names of a kind of file in a store: a prefix, a number, a suffix.
package struct StoreFileName: Sendable {
    private let prefix: String
    private let suffix: String
    private let digitCount: Int

    /// - Parameter digits: Digits of a number at least.
    package init(prefix: String = "", suffix: String, digits: Int = 1) {
        (self.prefix, self.suffix, digitCount) = (prefix, suffix, digits)
    }

    /// The name of a file.
    package func callAsFunction(_ number: UInt64) -> String {
        let digits = String(number)
        return prefix + String(repeating: "0", count: max(0, digitCount - digits.count)) + digits + suffix
    }

    /// Returns `true` if a name has this form. Any text may stand for the number.
    package func matches(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }
}
