public import EarshotCore
import Foundation

/// The name that pieces are published under: 2 to 40 code points without control characters.
public struct AuthorName: Hashable, Sendable, CustomStringConvertible {
    /// The number of code points of a name.
    public static let lengths = 2...40

    /// The name as its owner writes it.
    public let text: String
    /// The same for all names that count as one: the letter case and the width of letters make no difference.
    public let key: String

    /// A name.
    ///
    /// - Parameter text: The name; white space at its ends is left out.
    /// - Throws: `requestInvalid` for a name that is too short or too long, or has control characters.
    public init(_ text: String) throws(EarshotError) {
        let trimmed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = trimmed.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            // Marks that turn the direction of writing, or are not seen, make two names look like one.
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

    /// The key by which names are compared.
    public static func key(of text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// The name.
    public var description: String { text }
}
