import Foundation

/// The words of a title, as pieces are looked for by them.
package enum TitleTokens {
    /// The words in their order, without accents, letter case and signs. Scripts that put nothing between words give their signs one by
    /// one.
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

    /// The words as one text, each with a blank before it: a word of a search is looked for with a blank before it too.
    package static func key(of text: String) -> String { words(of: text).map { " " + $0 }.joined() }
}
