/// The comparison of two words of names: they are alike apart from a typing error, a plural or the spelling of an
/// umlaut.
///
/// Words are keys: lower case, without diacritics. In short words no error is forgiven, because most are like another
/// word.
struct WordLikeness {
    /// The fewest scalars of a word in which an error is forgiven.
    private static let shortest = 4
    /// The fewest scalars of a word whose plural it may be.
    private static let shortestStem = 3

    private let scalars: [UInt32]
    private let stem: [UInt32]

    init(_ word: some StringProtocol) {
        scalars = word.unicodeScalars.map(\.value)
        stem = Self.stem(Self.withoutUmlauts(scalars))
    }

    /// `true` if another word may be meant: numbers are what they are.
    var isForgiving: Bool { scalars.count >= Self.shortestStem && !scalars.contains { (0x30...0x39).contains($0) } }

    /// Returns `true` if another word is meant by this one.
    func isLike(_ other: WordLikeness) -> Bool {
        guard isForgiving, other.isForgiving, abs(scalars.count - other.scalars.count) <= Self.mostAdded else {
            return false
        }
        return stem == other.stem || Self.differsOnce(scalars, other.scalars) || Self.differsOnce(stem, other.stem)
    }

    /// The letters by which an ending or an umlaut in two letters makes a word longer.
    private static let mostAdded = 3

    /// The word with "ae", "oe" and "ue" as the letters that a key has for "ä", "ö" and "ü".
    private static func withoutUmlauts(_ word: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        for scalar in word {
            // Not the "e" of "blue" and "shoe", which ends the word or comes before an "s" that does; endings go later.
            if scalar == letter("e"), let last = result.last, vowels.contains(last) { continue }
            result.append(scalar)
        }
        return result
    }

    private static let vowels: Set<UInt32> = [letter("a"), letter("o"), letter("u")]

    /// The word without the ending of a plural.
    private static func stem(_ word: [UInt32]) -> [UInt32] {
        let (s, e, i, y) = (letter("s"), letter("e"), letter("i"), letter("y"))
        guard word.count > shortestStem, word.last == s, word[word.count - 2] != s else { return word }
        if Array(word.suffix(3)) == [i, e, s] { return Array(word.dropLast(3)) + [y] }
        return word[word.count - 2] == e ? Array(word.dropLast(2)) : Array(word.dropLast())
    }

    private static func letter(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value }

    /// Returns `true` if one scalar is missing, too many or another, or two neighbors have changed places.
    private static func differsOnce(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        guard short.count >= shortest, long.count - short.count <= 1 else { return false }
        let begin = zip(short, long).prefix { $0 == $1 }.count
        let end = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
        if begin + end >= short.count { return true }
        guard short.count == long.count else { return false }
        let middle = short.count - begin - end
        return middle == 1
            || middle == 2 && short[begin] == long[begin + 1] && short[begin + 1] == long[begin]
    }
}
