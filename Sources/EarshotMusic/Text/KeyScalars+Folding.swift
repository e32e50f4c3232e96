extension KeyScalars {
    /// Tokens without diacritics, katakana as hiragana, letters with a stroke or a ligature as plain ones.
    ///
    /// The marks of Indic scripts and of Thai are vowels, those of kana tell consonants apart: these stay.
    static func folded(_ tokens: [UInt32]) -> [UInt32] {
        var output: [UInt32] = []
        output.reserveCapacity(tokens.count)
        for scalar in tokens {
            if scalar < 0x80 {
                // A token may have folded to nothing.
                if scalar != space || (output.last ?? space) != space { output.append(scalar) }
            } else if isDiacritic(scalar) || scalar == 0x640 {
                continue
            } else {
                appendPlain(scalar, to: &output)
            }
        }
        if output.last == space { output.removeLast() }
        return output
    }

    /// Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic, tone marks of ideographs.
    private static func isDiacritic(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7, 0x610...0x61A,
            0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7, 0x6E8, 0x6EA...0x6ED, 0x898...0x89F,
            0x8CA...0x8E1, 0x8E3...0x8FF, 0x1AB0...0x1ACE, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0x302A...0x302D,
            0xFE20...0xFE2F:
            true
        default: false
        }
    }

    private static func appendPlain(_ scalar: UInt32, to output: inout [UInt32]) {
        switch scalar {
        case 0xE6: output.append(contentsOf: [0x61, 0x65])  // æ
        case 0x153: output.append(contentsOf: [0x6F, 0x65])  // œ
        case 0xFE: output.append(contentsOf: [0x74, 0x68])  // þ
        case 0x250, 0x251, 0x2C65: output.append(0x61)  // a
        case 0x180, 0x253: output.append(0x62)  // b
        case 0x188, 0x23C: output.append(0x63)  // c
        case 0xF0, 0x111, 0x18C, 0x256, 0x257: output.append(0x64)  // d
        case 0x1DD, 0x247, 0x259, 0x25B: output.append(0x65)  // e
        case 0x192: output.append(0x66)  // f
        case 0x1E5, 0x260: output.append(0x67)  // g
        case 0x127, 0x266: output.append(0x68)  // h
        case 0x268: output.append(0x69)  // i
        case 0x237, 0x249: output.append(0x6A)  // j
        case 0x138, 0x199: output.append(0x6B)  // k
        case 0x142, 0x19A, 0x26B: output.append(0x6C)  // l
        case 0x14B, 0x19E, 0x272: output.append(0x6E)  // n
        case 0xF8, 0x254, 0x275: output.append(0x6F)  // o
        case 0x1A5: output.append(0x70)  // p
        case 0x24D: output.append(0x72)  // r
        case 0x167, 0x1AD, 0x288: output.append(0x74)  // t
        case 0x289, 0x28A: output.append(0x75)  // u
        case 0x1B4, 0x24F: output.append(0x79)  // y
        case 0x1B6, 0x225: output.append(0x7A)  // z
        case 0x491: output.append(0x433)  // ґ
        case 0x671: output.append(0x627)  // alef
        case 0x649, 0x6CC: output.append(0x64A)  // yeh
        case 0x629: output.append(0x647)  // heh
        case 0x6A9: output.append(0x643)  // kaf
        case 0x30A1...0x30F6, 0x30FD, 0x30FE: output.append(scalar - 0x60)
        case 0x300...:
            // A mark that stays needs a letter to stand on.
            if (output.last ?? space) == space, ScalarTable.shared.kind(scalar) == .mark { return }
            output.append(scalar)
        default: output.append(scalar)
        }
    }
}
