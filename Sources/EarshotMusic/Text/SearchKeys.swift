/// Makes the keys of a decomposed text.
struct SearchKeys {
    let exact: String
    let folded: String
    let spelled: String
    let bare: String
    /// `true` if digits stand for the last word of the folded key.
    let lastWasRead: Bool

    /// - Parameter isASCII: `true` if the text is of ASCII only: it then has no diacritics and nothing to compose.
    init(_ text: [UInt32], isASCII: Bool) {
        let table = ScalarTable.shared
        let plain = Self.tokens(text, isASCII: isASCII, table)
        spelled = KeyScalars.text(plain.folded)
        let reading = NumberParser(plain.folded)
        let digits = reading?.output ?? plain.folded
        lastWasRead = reading?.lastWasRead ?? false
        folded = reading == nil ? spelled : KeyScalars.text(digits)
        exact =
            isASCII || plain.exact == plain.folded
            ? folded : KeyScalars.text(NumberParser(plain.exact)?.output ?? plain.exact)
        var rest = digits
        if Annotations.maySomeStand(in: text) {
            let stripped = Annotations.stripped(text, table)
            if stripped.count < text.count {
                rest = Self.tokens(stripped, isASCII: isASCII, table).folded
                rest = NumberParser(rest)?.output ?? rest
            }
        }
        rest = Annotations.withoutGuests(rest)
        bare = rest == digits ? folded : KeyScalars.text(rest)
    }

    /// The tokens of a text before numbers are read.
    private static func tokens(
        _ text: [UInt32],
        isASCII: Bool,
        _ table: ScalarTable
    ) -> (exact: [UInt32], folded: [UInt32]) {
        var words = KeyScalars.words(text[...], table)
        if words.isEmpty { words = KeyScalars.signs(text[...], table) }
        if isASCII { return (words, words) }
        let exact = KeyScalars.composed(words, table)
        let folded = KeyScalars.folded(words)
        // What is made of marks only has no weaker key.
        return (exact, folded.isEmpty ? exact : KeyScalars.composed(folded, table))
    }
}
