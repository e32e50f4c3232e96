/// A reading of a file's name. One name may have several: `A - B` may be an artist and a title, or a title with a dash.
struct FileNameParser: Hashable, Sendable {
    var title: String
    var artist: String?
    var album: String?
    var number: Int?
    var disc: Int?

    /// The readings of a name, with or without its suffix; the likeliest first, none twice.
    static func readings(of fileName: String) -> [FileNameParser] {
        let stem = spaced(withoutSuffix(fileName))
        guard !stem.isEmpty else { return [] }
        var readings: [FileNameParser] = []
        if let (place, rest) = leadingPlace(stem) { readings += parts(of: rest, place) }
        // "99 Luftballons" has no number in front.
        readings += parts(of: stem, nil)
        var seen: Set<FileNameParser> = []
        return readings.filter { !$0.title.isEmpty && seen.insert($0).inserted }
    }

    private struct Place {
        var disc: Int?
        var number: Int
    }

    private static func parts(of text: String, _ place: Place?) -> [FileNameParser] {
        var place = place
        var fields = text.components(separatedByDash: 8)
        // "Artist - 03 - Title"; "Artist - Album - 03 - Title"; "Artist - Album - 03 Title".
        if place == nil {
            for index in fields.indices.dropFirst() {
                if let number = wholeNumber(fields[index]), index < fields.count - 1 {
                    place = Place(disc: nil, number: number)
                    fields.remove(at: index)
                    break
                }
            }
            if place == nil, fields.count > 1, let (found, rest) = leadingPlace(fields[fields.count - 1]) {
                place = found
                fields[fields.count - 1] = rest
            }
        }
        func reading(_ title: String, artist: String? = nil, album: String? = nil) -> FileNameParser {
            FileNameParser(title: title, artist: artist, album: album, number: place?.number, disc: place?.disc)
        }
        let whole = reading(text)
        guard fields.count > 1, let first = fields.first, let last = fields.last else { return [whole] }
        var readings = [
            reading(last, artist: first, album: fields.count > 2 ? fields[fields.count - 2] : nil)
        ]
        if fields.count == 2 { readings.append(reading(first, artist: last)) }
        readings.append(whole)
        return readings
    }

    /// A number in front of a title: `03 Title`, `03. Title`, `03 - Title`, `1-03 Title`, `103 Title` of the first disc, `(03) Title`.
    private static func leadingPlace(_ text: String) -> (Place, rest: String)? {
        var rest = Substring(text)
        let isFenced = rest.first == "(" || rest.first == "["
        if isFenced { rest = rest.dropFirst() }
        guard let first = takeNumber(&rest, 3) else { return nil }
        var place = Place(disc: nil, number: first)
        if first < 100, let mark = rest.first, mark == "-" || mark == ".", rest.dropFirst().first?.isASCIIDigit == true
        {
            rest = rest.dropFirst()
            guard let second = takeNumber(&rest, 2) else { return nil }
            place = Place(disc: first, number: second)
        } else if (101...999).contains(first), first % 100 > 0 {
            place = Place(disc: first / 100, number: first % 100)
        }
        if isFenced {
            guard let fence = rest.first, fence == ")" || fence == "]" else { return nil }
            rest = rest.dropFirst()
        }
        let title = rest.drop { $0 == " " || $0 == "-" || $0 == "." || $0 == ")" || $0 == "_" || $0 == "–" }
        // A letter right behind a number belongs to it: "7th", "2001".
        guard title.startIndex > rest.startIndex || isFenced, !title.isEmpty, place.number > 0 else { return nil }
        return (place, String(title))
    }

    private static func takeNumber(_ text: inout Substring, _ digits: Int) -> Int? {
        let number = text.prefix { $0.isASCIIDigit }
        guard (1...digits).contains(number.count) else { return nil }
        text = text.dropFirst(number.count)
        return Int(number)
    }

    private static func wholeNumber(_ text: String) -> Int? {
        guard (1...2).contains(text.count), text.allSatisfy(\.isASCIIDigit), let number = Int(text), number > 0 else {
            return nil
        }
        return number
    }

    private static func withoutSuffix(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        let suffix = name[name.index(after: dot)...]
        // "Vol. 2" has no suffix.
        guard (1...5).contains(suffix.count), suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
            suffix.contains(where: \.isLetter)
        else { return name }
        return String(name[..<dot])
    }

    /// A name in which underscores stand for spaces, with spaces.
    static func spaced(_ name: String) -> String {
        let text = name.contains(" ") ? name : name.replacing("_", with: " ")
        return text.split(separator: " ").joined(separator: " ")
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}

extension String {
    /// The fields between dashes that have spaces around them, at most so many.
    func components(separatedByDash limit: Int) -> [String] {
        var fields = [""]
        for word in split(separator: " ") {
            if word == "-" || word == "–" || word == "—", fields.count < limit {
                fields.append("")
            } else {
                fields[fields.count - 1] += (fields[fields.count - 1].isEmpty ? "" : " ") + word
            }
        }
        return fields.filter { !$0.isEmpty }
    }
}
