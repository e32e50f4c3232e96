import EarshotCore

/// Reads the text of a template.
struct RenameTemplateParser {
    private let characters: [Character]

    init(_ text: String) {
        characters = Array(text)
    }

    func parts() throws(EarshotError) -> [RenameTemplate.Part] {
        var parts: [RenameTemplate.Part] = []
        var text = ""
        var place = 0
        func flush() {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
        }
        while place < characters.count {
            let character = characters[place]
            let isDoubled = place + 1 < characters.count && characters[place + 1] == character
            switch character {
            case "{", "}":
                if isDoubled {
                    text.append(character)
                    place += 2
                    continue
                }
                guard character == "{" else {
                    throw wrong(place, "a closing brace without an opening one; write }} for }")
                }
                flush()
                guard let end = characters[place...].firstIndex(of: "}") else {
                    throw wrong(place, "a brace that is not closed; write {{ for {")
                }
                parts.append(.field(try field(place + 1..<end)))
                place = end + 1
            case "/":
                flush()
                parts.append(.separator)
                place += 1
            default:
                text.append(character)
                place += 1
            }
        }
        flush()
        guard parts.contains(where: { if case .field = $0 { true } else { false } }) else {
            throw wrong(0, "no field, so that every file would have one name; write for example {title}")
        }
        return parts
    }

    private func field(_ range: Range<Int>) throws(EarshotError) -> RenameTemplate.Field {
        let inside = characters[range]
        func isName(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber) || character == "_"
        }
        guard let start = inside.firstIndex(where: isName) else {
            throw wrong(range.lowerBound, "a field without a name")
        }
        let end = inside.lastIndex(where: isName).map { $0 + 1 } ?? start
        let (before, behind) = (
            String(characters[range.lowerBound..<start]), String(characters[end..<range.upperBound])
        )
        guard !(before + behind).contains(where: { "{:|/".contains($0) }) else {
            throw wrong(range.lowerBound, "a field with one of {:|/ around its name")
        }
        let pair = String(characters[start..<end]).split(separator: ":", omittingEmptySubsequences: false)
        var digits: Int?
        if pair.count == 2 {
            guard let number = Int(pair[1]), (1...9).contains(number) else {
                throw wrong(start, "a width that is no number from 1 to 9; write for example {track:02}")
            }
            digits = number
        }
        let names = (pair.first ?? "").split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard pair.count <= 2, names.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isName($0) || $0 == " " } }) else {
            throw wrong(start, "a name of a field with other characters than letters, digits, spaces and _")
        }
        return RenameTemplate.Field(
            before: before,
            names: names.map { $0.lowercased() },
            digits: digits,
            behind: behind
        )
    }

    private func wrong(_ place: Int, _ what: String) -> EarshotError {
        EarshotError(
            .configurationInvalid,
            "The template \"\(String(characters))\" has, at character \(place + 1), \(what)."
        )
    }
}
