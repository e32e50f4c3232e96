/// The meaning of a title's token within a number.
enum NumberWord: Equatable, Sendable {
    /// Zero to nineteen.
    case small(Int)
    /// Twenty, thirty … ninety.
    case tens(Int)
    case hundred
    case thousand
    /// First to nineteenth, and twentieth, thirtieth … ninetieth.
    case ordinal(Int)
    /// ASCII digits; the value is kept up to 999 only.
    case digits(Int)
    /// A Roman numeral from I to XXXIX.
    case roman(Int)
    case and
    /// Zero inside a year: "nineteen oh five".
    case oh
    /// "Part eye" is part I.
    case eye
    /// Part, chapter, volume, act: a number follows.
    case division
    /// An abbreviation of a word that stands before a number.
    case abbreviation(Abbreviation)

    enum Abbreviation: String, Sendable {
        case part
        case volume
        case number
    }

    /// `true` if a cardinal number begins here.
    var beginsCardinal: Bool {
        switch self {
        case .small, .tens, .hundred, .thousand: true
        default: false
        }
    }

    /// Returns the meaning of a token within a number; `nil` for most tokens.
    static func of(_ token: ArraySlice<UInt32>) -> NumberWord? {
        guard let first = token.first else { return nil }
        if first &- 0x30 < 10 { return digits(token) }
        guard first &- 0x61 < 26, token.count <= 11, initials >> (first - 0x61) & 1 != 0 else { return nil }
        if first == 0x69 || first == 0x76 || first == 0x78, let value = romanValue(token) { return .roman(value) }
        var key = WordKey()
        for scalar in token {
            guard scalar &- 0x61 < 26 else { return nil }
            key.append(scalar)
        }
        return words[key]
    }

    private static func digits(_ token: ArraySlice<UInt32>) -> NumberWord? {
        guard token.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        guard token.count <= 3 else { return .digits(1000) }
        return .digits(token.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// The value of a Roman numeral in its one usual spelling, up to XXXIX.
    static func romanValue(_ token: ArraySlice<UInt32>) -> Int? {
        var index = token.startIndex
        var value = 0
        while index < token.endIndex, token[index] == 0x78, value < 30 {
            value += 10
            index += 1
        }
        switch String(decoding: token[index...].prefix(5).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self) {
        case "": break
        case "i": value += 1
        case "ii": value += 2
        case "iii": value += 3
        case "iv": value += 4
        case "v": value += 5
        case "vi": value += 6
        case "vii": value += 7
        case "viii": value += 8
        case "ix": value += 9
        default: return nil
        }
        return token.allSatisfy { $0 == 0x69 || $0 == 0x76 || $0 == 0x78 } ? value : nil
    }

    /// Up to eleven letters in a number, five bits each.
    private struct WordKey: Hashable {
        private var bits: UInt64 = 0

        mutating func append(_ letter: UInt32) {
            bits = bits << 5 | UInt64(letter - 0x60)
        }
    }

    private static let words: [WordKey: NumberWord] = {
        let small = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        let ordinals = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
        ]
        let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        var words: [String: NumberWord] = [
            "hundred": .hundred, "thousand": .thousand, "and": .and, "oh": .oh, "eye": .eye, "part": .division,
            "chapter": .division, "volume": .division, "act": .division, "pt": .abbreviation(.part),
            "vol": .abbreviation(.volume), "no": .abbreviation(.number), "fourty": .tens(40),
        ]
        for (value, word) in small.enumerated() { words[word] = .small(value) }
        for (index, word) in ordinals.enumerated() { words[word] = .ordinal(index + 1) }
        for (index, word) in tens.enumerated() {
            words[word] = .tens(index * 10 + 20)
            words[word.dropLast() + "ieth"] = .ordinal(index * 10 + 20)
        }
        var keys: [WordKey: NumberWord] = [:]
        for (word, meaning) in words {
            var key = WordKey()
            for scalar in word.unicodeScalars { key.append(scalar.value) }
            keys[key] = meaning
        }
        return keys
    }()

    /// One bit for each letter that a word of number begins with: most tokens go no further.
    private static let initials: UInt32 = "zotfsenthvapcix".unicodeScalars.reduce(0) { $0 | 1 << ($1.value - 0x61) }
}
