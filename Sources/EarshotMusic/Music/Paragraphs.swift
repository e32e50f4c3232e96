/// A longer text about music in one or more languages: a review, a biography.
public struct Paragraphs: Hashable, Sendable, Codable {
    /// The paragraphs in order, by ISO 639-3 code of their language.
    public var byLanguage: [String: [String]]
    /// The author and license, to be shown with the text.
    public var attribution: String?

    /// Creates a text.
    ///
    /// - Parameters:
    ///   - byLanguage: The paragraphs in order, by ISO 639-3 code.
    ///   - attribution: The author and license.
    public init(_ byLanguage: [String: [String]], attribution: String? = nil) {
        self.byLanguage = byLanguage
        self.attribution = attribution
    }

    /// Returns the paragraphs in a language. If there are none, returns those in English, then those of the first language by code.
    ///
    /// - Returns: The paragraphs in order; `nil` if there are none at all.
    public func paragraphs(in language: String?) -> [String]? {
        let languages = [language, "eng"].compactMap(\.self) + byLanguage.keys.sorted()
        return languages.lazy.compactMap { byLanguage[$0] }.first { !$0.isEmpty }
    }
}
