public import EarshotCore
import Foundation

/// The name that pieces are published under: 2 to 40 code points without control characters.
public struct AuthorName: Hashable, Sendable, CustomStringConvertible {
    /// The allowed numbers of code points of a name.
    public static let lengths = 2...40

    /// The name as its owner writes it.
    public let text: String
    /// The key by which names are compared: equal for names that differ only in letter case or in the width of letters.
    public let key: String

    /// Creates a name.
    ///
    /// - Parameter text: The name; white space at its ends is removed.
    /// - Throws: `requestInvalid` for a name that is too short or too long, or has control characters.
    public init(_ text: String) throws(EarshotError) {
        let trimmed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = trimmed.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            // Invisible marks, and those that change the direction of writing, could make two names look the same.
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        guard Self.lengths.contains(trimmed.unicodeScalars.count), isPlain else {
            throw EarshotError(
                .requestInvalid,
                "\"\(trimmed.prefix(60))\" cannot be the name of an author: give 2 to 40 letters, digits and signs."
            )
        }
        self.text = trimmed
        key = Self.key(of: trimmed)
    }

    /// Returns the key by which names are compared.
    public static func key(of text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// The name.
    public var description: String { text }
}
