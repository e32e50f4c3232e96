/// The name of an artist, album or track: in its original form, in other languages, and its pronunciation.
public struct Name: Hashable, Sendable, Codable {
    /// The original form of the name. It is shown unchanged unless another language is asked for.
    public var text: String
    /// The name in other languages, by ISO 639-3 code (`jpn`).
    public var translations: [String: String]
    /// The pronunciation, in the phonetic script of its language, such as kana for Japanese; `nil` if unknown.
    public var reading: String?
    /// Other names and spellings under which it is found.
    public var alternates: [String]

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - text: The original form.
    ///   - translations: In other languages, by ISO 639-3 code.
    ///   - reading: The pronunciation; `nil` if unknown.
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

    /// Returns the name in a language, or the original form if there is no translation.
    ///
    /// - Parameter language: An ISO 639-3 code; `nil` for the original form.
    public func text(in language: String?) -> String {
        language.flatMap { translations[$0] } ?? text
    }

    /// All spellings that a search has to find, each once: the original form first.
    public var spellings: [String] {
        var seen: Set<String> = []
        let translated = translations.sorted { $0.key < $1.key }.map(\.value)
        let all = [text] + translated + [reading].compactMap(\.self) + alternates
        return all.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
