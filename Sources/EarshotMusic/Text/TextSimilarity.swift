/// Measures of similarity of two keys, from 0 to 1, for typing errors and for duplicates.
package enum TextSimilarity {
    /// Returns the Jaro-Winkler similarity, 0 to 1: for names and short titles, where letters are swapped or missing.
    ///
    /// Only the first 512 scalars of each text are compared, which bounds the time. 1 for equal texts, 0 for texts with
    /// nothing in common.
    package static func jaroWinkler(_ left: String, _ right: String) -> Double {
        let left = left.unicodeScalars.prefix(512).map(\.value)
        let right = right.unicodeScalars.prefix(512).map(\.value)
        guard left != right else { return 1 }
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        let window = max(0, max(left.count, right.count) / 2 - 1)
        var isUsed = [Bool](repeating: false, count: right.count)
        var matched: [UInt32] = []
        for (place, scalar) in left.enumerated() {
            let low = max(0, place - window)
            let high = min(right.count, place + window + 1)
            guard low < high, let partner = (low..<high).first(where: { !isUsed[$0] && right[$0] == scalar }) else {
                continue
            }
            isUsed[partner] = true
            matched.append(scalar)
        }
        guard !matched.isEmpty else { return 0 }
        let partners = right.indices.filter { isUsed[$0] }.map { right[$0] }
        let swapped = Double(zip(matched, partners).count { $0 != $1 }) / 2
        let count = Double(matched.count)
        let jaro = (count / Double(left.count) + count / Double(right.count) + (count - swapped) / count) / 3
        let common = zip(left, right).prefix(4).prefix { $0 == $1 }.count
        return jaro + Double(common) * 0.1 * (1 - jaro)
    }

    /// Returns the Dice coefficient of the trigrams, 0 to 1: for longer titles, whatever the order of their words.
    ///
    /// 1 for keys of the same trigrams, 0 for keys with none in common.
    package static func dice(_ left: String, _ right: String) -> Double {
        guard left != right else { return 1 }
        let left = Set(packedTrigrams(of: left))
        let right = Set(packedTrigrams(of: right))
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }

    /// Returns the trigrams of the words of a key, in order and each once, for an index that tolerates typing errors.
    ///
    /// A word is taken with `^` before and `$` after it: "rock" has `^ro`, `roc`, `ock` and `ck$`. No trigram has a space in
    /// it.
    package static func trigrams(of key: String) -> [String] {
        var seen: Set<UInt64> = []
        return packedTrigrams(of: key).filter { seen.insert($0).inserted }.map { packed in
            KeyScalars.text([packed >> 42, packed >> 21 & 0x1FFFFF, packed & 0x1FFFFF].map { UInt32($0) })
        }
    }

    /// Trigrams as three times 21 bits.
    private static func packedTrigrams(of key: String) -> [UInt64] {
        var found: [UInt64] = []
        let (begin, end): (UInt64, UInt64) = (0x5E, 0x24)
        var window: UInt64 = 0
        var length = 0
        func push(_ scalar: UInt64) {
            window = (window << 21 | scalar) & 0x7FFF_FFFF_FFFF_FFFF
            length += 1
            if length >= 3 { found.append(window) }
        }
        for scalar in key.unicodeScalars {
            if scalar == " " {
                if length > 0 { push(end) }
                length = 0
                continue
            }
            if length == 0 { push(begin) }
            push(UInt64(scalar.value))
        }
        if length > 0 { push(end) }
        return found
    }
}
