import EarshotMusic
import Foundation

/// An element of a guide with its content. A single channel or program is small, unlike the file.
struct XMLTVElement {
    let name: String
    let attributes: [String: String]
    var text = ""
    var children: [XMLTVElement] = []

    /// Returns an attribute with whitespace trimmed; `nil` if it is missing or empty.
    func attribute(_ name: String) -> String? { attributes[name].flatMap(Self.line) }

    /// The text as one line; `nil` if it is empty.
    var line: String? { Self.line(text) }

    /// The text with its line breaks; `nil` if it is empty.
    var paragraphs: String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    func all(_ name: String) -> [XMLTVElement] { children.filter { $0.name == name } }

    func first(_ name: String) -> XMLTVElement? { children.first { $0.name == name } }

    /// Returns the texts of the elements with a name, each once, in order.
    func lines(_ name: String) -> [String] {
        var seen: Set<String> = []
        return all(name).compactMap(\.line).filter { seen.insert($0).inserted }
    }

    static func line(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Returns a name from texts in several languages. The first one is its text. Further ones are translations if they
    /// state a language that is not taken, and alternative spellings otherwise.
    static func name(_ texts: [(text: String, language: String?)]) -> Name? {
        guard let first = texts.first else { return nil }
        var name = Name(first.text)
        for (place, (text, language)) in texts.enumerated() {
            if let code = language.flatMap(ISOCodes.language), name.translations[code] == nil {
                name.translations[code] = text
            } else if place > 0, text != name.text, !name.alternates.contains(text) {
                name.alternates.append(text)
            }
        }
        return name
    }

    /// Returns the name from the elements with a name.
    func name(_ element: String, paragraphs: Bool = false) -> Name? {
        Self.name(
            all(element).compactMap { child in
                (paragraphs ? child.paragraphs : child.line).map { ($0, child.attribute("lang")) }
            }
        )
    }
}
