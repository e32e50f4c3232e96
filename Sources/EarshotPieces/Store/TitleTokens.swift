import Foundation

/// The words of a title, by which pieces are found.
package enum TitleTokens {
    /// Returns the words in order, without accents, letter case and punctuation. In scripts without spaces between
    /// words, every character is a word.
    package static func words(of text: String) -> [String] {
        let folded = text.decomposedStringWithCompatibilityMapping.lowercased()
        var words: [String] = []
        var word = ""
        for scalar in folded.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark: continue
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .decimalNumber, .letterNumber,
                .otherNumber:
                word.unicodeScalars.append(scalar)
            case .otherLetter where scalar.value < 0x2E80: word.unicodeScalars.append(scalar)
            case .otherLetter:
                if !word.isEmpty { words.append(word) }
                word = ""
                words.append(String(scalar))
            default:
                if !word.isEmpty { words.append(word) }
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Returns the words as one text with a space before each. A search looks for its words with a space before them
    /// too.
    package static func key(of text: String) -> String { words(of: text).map { " " + $0 }.joined() }
}
