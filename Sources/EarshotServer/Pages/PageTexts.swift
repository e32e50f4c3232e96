import EarshotCore
import Foundation

/// The texts of pages in all languages. Each language has a file, with a group of texts for each feature.
struct PageTexts: Sendable {
    /// The texts of a language by group and name.
    typealias Language = [String: [String: String]]

    /// The language of texts that another language lacks.
    static let standard = "en"

    private let languages: [String: Language]

    /// Reads the texts of all languages.
    ///
    /// - Throws: `internalError` for a malformed file.
    init(_ assets: PageAssets) throws(EarshotError) {
        var languages: [String: Language] = [:]
        for (name, bytes) in assets.files(of: "json") where name.hasPrefix("texts-") {
            do {
                languages[String(name.dropFirst(6))] = try JSONDecoder().decode(Language.self, from: Data(bytes))
            } catch {
                throw EarshotError(.internalError, "The texts in \(name).json cannot be read.", cause: error)
            }
        }
        let standard = languages[Self.standard] ?? [:]
        self.languages = languages.mapValues { $0.merging(standard) { $0.merging($1) { own, _ in own } } }
    }

    /// The names of the languages, in order: `de`, `en`.
    var names: [String] { languages.keys.sorted() }

    /// Returns the texts of a language; empty for an unknown one.
    func texts(_ language: String) -> Language { languages[language] ?? [:] }

    /// Returns the best language for a reader.
    ///
    /// - Parameters:
    ///   - chosen: The language that the reader has chosen; `nil` if none was.
    ///   - accepted: The header `Accept-Language`, such as `de-CH, en;q=0.5`; `nil` if there is none.
    func language(chosen: String?, accepted: String?) -> String {
        if let chosen, languages[chosen] != nil { return chosen }
        let wanted = (accepted ?? "").prefix(400).split(separator: ",").prefix(20).map { part in
            let fields = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (name: fields.first.map { String($0.prefix { $0 != "-" }) } ?? "", weight: weight)
        }
        // The index makes the sort stable: of languages with equal weights, the first counts.
        let order = wanted.enumerated().filter { $0.element.weight > 0 }.sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        return order.map(\.element.name).first { languages[$0] != nil } ?? Self.standard
    }
}
