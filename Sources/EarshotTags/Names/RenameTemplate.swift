public import EarshotCore
import Foundation

/// A template for file names, for example `{albumartist}/{album}{ (year)}/{disc-}{track:02} {title}`.
///
/// - A field in braces is replaced by a value. Its name is one of those below, or that of any property in lower case.
/// - Text in the braces before and after the name – anything but letters, digits, `:`, `|` and braces – appears only
///   with a value: `{disc-}` gives `2-` or an empty text, `{ (year)}` gives ` (1999)` or an empty text.
/// - `:02` after the name pads a number with zeros to that many digits.
/// - `{albumartist|artist}` is replaced by the first that has a value.
/// - `/` outside braces begins a folder. `{{` and `}}` are braces.
///
/// Fields: `title`, `artist`, `album`, `albumartist` (or the artist if there is none), `track`, `tracktotal`, `disc`,
/// `disctotal`, `date`, `year` (four digits), `genre`, `composer`. Of several values the first is used. Parentheses and
/// square brackets around an empty field are removed.
///
/// Names are adapted to every common file system. In values, `/`, `\` and `:` become `-`, and other characters that
/// Windows does not allow become `_` or `'`. A name has at most 255 bytes of UTF-8. It does not begin with a dot, does
/// not end with a dot or a space, and is not that of a device. All scripts are kept.
public struct RenameTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable {
        case text(String)
        case separator
        case field(Field)
    }

    struct Field: Hashable {
        let before: String
        let names: [String]
        let digits: Int?
        let behind: String
    }

    /// The text of the template.
    public let description: String
    let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: `configurationInvalid` with the position of the error.
    public init(_ text: String) throws(EarshotError) {
        description = text
        parts = try RenameTemplateParser(text).parts()
    }

    /// Returns the path of a file within the library.
    ///
    /// - Parameters:
    ///   - properties: The text properties of the file by name in capitals, as in ``TagFile/properties``.
    ///   - suffix: The file name extension without the dot, for example `flac`.
    /// - Returns: The folders and the file name, without a separator in front.
    /// - Throws: `metadataInvalid` if the properties result in an empty name.
    public func path(for properties: [String: [String]], suffix: String) throws(EarshotError) -> String {
        var names = [""]
        for piece in pieces(properties) {
            if let piece { names[names.count - 1] += piece } else { names.append("") }
        }
        let ending = suffix.isEmpty ? "" : "." + suffix
        let name = FileName(text: names.removeLast(), suffix: ending)
        guard !name.stem.isEmpty else {
            throw EarshotError(
                .metadataInvalid,
                "The template \"\(description)\" yields no name from these tags: add the tags that it needs, or use another template."
            )
        }
        // A folder of nothing is left out.
        return (names.map { FileName(text: $0).text }.filter { !$0.isEmpty } + [name.text]).joined(separator: "/")
    }

    /// The texts, with nothing for each separator.
    private func pieces(_ properties: [String: [String]]) -> [String?] {
        var pieces: [String?] = []
        var dropped: Character?
        for (index, part) in parts.enumerated() {
            switch part {
            case .separator: pieces.append(nil)
            case .text(var text):
                if let closing = dropped, text.first == closing { text.removeFirst() }
                dropped = nil
                pieces.append(text)
            case .field(let field):
                if let value = Self.value(field, properties) {
                    pieces.append(field.before + value + field.behind)
                    continue
                }
                // `({year})` without a year is nothing at all.
                guard index + 1 < parts.count, case .text(let next) = parts[index + 1], let last = pieces.last,
                    var text = last, let opening = text.last, let closing = Self.brackets[opening],
                    next.first == closing
                else { continue }
                text.removeLast()
                while text.last == " " { text.removeLast() }
                pieces[pieces.count - 1] = text
                dropped = closing
            }
        }
        return pieces
    }

    private static let brackets: [Character: Character] = ["(": ")", "[": "]"]

    private static func value(_ field: Field, _ properties: [String: [String]]) -> String? {
        for name in field.names {
            guard let value = value(name, properties), !value.isEmpty else { continue }
            guard let digits = field.digits, value.allSatisfy(\.isNumber) else { return value }
            return String(repeating: "0", count: max(0, digits - value.count)) + value
        }
        return nil
    }

    private static func value(_ name: String, _ properties: [String: [String]]) -> String? {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { properties[$0]?.first { !$0.isEmpty } }.first
        }
        func part(_ index: Int, _ value: String?) -> String? {
            let parts = value?.split(separator: "/", omittingEmptySubsequences: false).map(String.init) ?? []
            guard index < parts.count else { return nil }
            let text = parts[index].trimmingCharacters(in: .whitespaces)
            return Int(text).map(String.init) ?? text
        }
        return switch name {
        case "albumartist": first("ALBUMARTIST", "ARTIST")
        case "track": part(0, first("TRACKNUMBER"))
        case "tracktotal": part(0, first("TRACKTOTAL", "TOTALTRACKS")) ?? part(1, first("TRACKNUMBER"))
        case "disc": part(0, first("DISCNUMBER"))
        case "disctotal": part(0, first("DISCTOTAL", "TOTALDISCS")) ?? part(1, first("DISCNUMBER"))
        case "year":
            first("DATE", "YEAR", "ORIGINALDATE").map { String($0.prefix(4)) }.flatMap { Int($0) == nil ? nil : $0 }
        default: first(name.uppercased())
        }
    }
}
