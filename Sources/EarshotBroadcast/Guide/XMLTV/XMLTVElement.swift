import EarshotMusic
import Foundation

/// An element of a guide with all that stands in it: a channel or a programme is small, the file is not.
struct XMLTVElement {
    let name: String
    let attributes: [String: String]
    var text = ""
    var children: [XMLTVElement] = []

    /// An attribute without spaces around it; `nil` for one that is empty.
    func attribute(_ name: String) -> String? { attributes[name].flatMap(Self.line) }

    /// The text as one line; `nil` if there is none.
    var line: String? { Self.line(text) }

    /// The text with its own line breaks; `nil` if there is none.
    var paragraphs: String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }

    func all(_ name: String) -> [XMLTVElement] { children.filter { $0.name == name } }

    func first(_ name: String) -> XMLTVElement? { children.first { $0.name == name } }

    /// The texts of elements of a name, each once, in order.
    func lines(_ name: String) -> [String] {
        var seen: Set<String> = []
        return all(name).compactMap(\.line).filter { seen.insert($0).inserted }
    }

    static func line(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// One name from texts in several languages: the first is its text, further ones are translations where they say a
    /// language that is not taken yet, and else other spellings.
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

    /// The name that elements of a name give.
    func name(_ element: String, paragraphs: Bool = false) -> Name? {
        Self.name(
            all(element).compactMap { child in
                (paragraphs ? child.paragraphs : child.line).map { ($0, child.attribute("lang")) }
            }
        )
    }
}
