/// The readings of a file's folders: `Artist/Album (1999)/CD 2`, `Artist - Album [FLAC]`, `1999 - Album`.
struct FolderNameParser: Hashable, Sendable {
    /// Names that may be the album's, the likeliest first.
    var albums: [String] = []
    /// Names that may be the artist's.
    var artists: [String] = []
    var year: Int?
    var disc: Int?

    /// Reads the folders that lead to a file, the outermost first.
    init(_ folders: some BidirectionalCollection<String>) {
        var folders = folders.map { FileNameParser.spaced($0) }.filter { !$0.isEmpty }
        if let last = folders.last, let number = Self.disc(last) {
            disc = number
            folders.removeLast()
        }
        guard var name = folders.popLast() else { return }
        if disc == nil, let (rest, number) = Self.trailingDisc(name) { (name, disc) = (rest, number) }
        var text = name
        while let (rest, inner) = Self.trailingBracket(text) {
            year = year ?? Self.year(inner)
            text = rest
        }
        var fields = text.components(separatedByDash: 4)
        if let index = fields.firstIndex(where: { Self.year($0) != nil }), fields.count > 1 {
            year = year ?? Self.year(fields[index])
            fields.remove(at: index)
        } else if let first = text.split(separator: " ", maxSplits: 1).first, text.count > first.count,
            let leading = Self.year(first.trimming("[]()"))
        {
            year = year ?? leading
            text = String(text.dropFirst(first.count)).trimming(" -")
            fields = text.components(separatedByDash: 4)
        }
        if fields.count > 1 {
            albums = [fields[fields.count - 1], fields.dropFirst().joined(separator: " - "), text]
            artists = [fields[0]]
        } else {
            albums = fields
        }
        if let parent = folders.last { artists.append(parent) }
        var seen: Set<String> = []
        albums = albums.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The number of a folder for one disc of several: `CD1`, `Disc 2`, `disk 03 - Live`.
    static func disc(_ name: String) -> Int? {
        let lowered = name.lowercased()
        for word in ["cd", "disc", "disk", "dvd", "lp", "vinyl"] where lowered.hasPrefix(word) {
            let rest = lowered.dropFirst(word.count).drop { " -_.#".contains($0) }
            let digits = rest.prefix { $0.isASCIIDigit }
            guard (1...2).contains(digits.count), let number = Int(digits), number > 0 else { continue }
            let behind = rest.dropFirst(digits.count)
            if behind.isEmpty || " -_.([".contains(behind.first ?? "x") { return number }
        }
        return nil
    }

    /// An album and the number of its disc in one name: `Morning Rail CD 2`, `Morning Rail (Disc 1)`, `Morning Rail - CD1`.
    static func trailingDisc(_ name: String) -> (rest: String, disc: Int)? {
        if let (rest, inner) = trailingBracket(name) {
            guard let number = disc(inner), !rest.isEmpty else { return nil }
            return (rest, number)
        }
        let words = name.split(separator: " ")
        for count in 1...2 where words.count > count {
            let tail = words.suffix(count).joined(separator: " ")
            guard let number = disc(tail) else { continue }
            let rest = words.dropLast(count).joined(separator: " ").trimming(" -_,")
            return rest.isEmpty ? nil : (rest, number)
        }
        return nil
    }

    private static func trailingBracket(_ text: String) -> (rest: String, inner: String)? {
        guard let last = text.last, last == ")" || last == "]" || last == "}" else { return nil }
        let opening: Character = last == ")" ? "(" : last == "]" ? "[" : "{"
        guard let start = text.lastIndex(of: opening), start > text.startIndex else { return nil }
        let inner = text[text.index(after: start)..<text.index(before: text.endIndex)]
        return (String(text[..<start]).trimming(" "), String(inner))
    }

    private static func year(_ text: some StringProtocol) -> Int? {
        guard text.count == 4, text.allSatisfy(\.isASCIIDigit), let year = Int(text), (1900...2100).contains(year)
        else {
            return nil
        }
        return year
    }
}

extension StringProtocol {
    /// Without characters of a set at both ends.
    func trimming(_ characters: String) -> String {
        var rest = self[...]
        while let first = rest.first, characters.contains(first) { rest = rest.dropFirst() }
        while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
