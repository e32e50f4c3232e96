/// A name: in its original form, in other languages, and its pronunciation.
public struct Name: Hashable, Sendable, Codable {
    /// The name as its makers write it. It is always shown unchanged where no other language is asked for.
    public var text: String
    /// The name in other languages, by ISO 639-3 code (`jpn`).
    public var translations: [String: String]
    /// The pronunciation, in the phonetic script of its language: for Japanese in kana.
    public var reading: String?
    /// Other names that it is known under, with their spellings and pronunciations.
    public var alternates: [String]

    /// A name.
    ///
    /// - Parameters:
    ///   - text: The original form.
    ///   - translations: In other languages, by ISO 639-3 code.
    ///   - reading: The pronunciation.
    ///   - alternates: Other names that it is known under.
    public init(
        _ text: String,
        translations: [String: String] = [:],
        reading: String? = nil,
        alternates: [String] = []
    ) {
        self.text = text
        self.translations = translations
        self.reading = reading
        self.alternates = alternates
    }

    /// The name in a language, or as its makers write it where there is none.
    ///
    /// - Parameter language: An ISO 639-3 code; `nil` for the original form.
    public func text(in language: String?) -> String {
        language.flatMap { translations[$0] } ?? text
    }

    /// Every spelling, the makers' own first, each once: what a search has to find.
    public var spellings: [String] {
        var seen: Set<String> = []
        let translated = translations.sorted { $0.key < $1.key }.map(\.value)
        let all = [text] + translated + [reading].compactMap(\.self) + alternates
        return all.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
