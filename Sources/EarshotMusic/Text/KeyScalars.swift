/// The steps from a text to a key, each a pass over scalars: in time linear in the length of the text.
///
/// Tokens stand in one array with a single space between them.
enum KeyScalars {
    static let space: UInt32 = 0x20
    private static let longVowel: UInt32 = 0x30FC

    /// A text decomposed, with widths and letter case folded.
    static func decomposed(_ text: String, _ table: ScalarTable) -> [UInt32] {
        var output: [UInt32] = []
        output.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let value = scalar.value
            if value < 0x80 {
                output.append(lowered(value))
            } else {
                table.appendFolded(value, to: &output)
            }
        }
        return output
    }

    /// An ASCII text with letter case folded; `nil` for any other text.
    static func loweredASCII(_ text: String) -> [UInt32]? {
        var copy = text
        return copy.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return [UInt32](unsafeUninitializedCapacity: bytes.count) { output, count in
                for index in 0..<bytes.count { output[index] = lowered(UInt32(bytes[index])) }
                count = bytes.count
            }
        }
    }

    @inline(__always)
    private static func lowered(_ value: UInt32) -> UInt32 {
        if value &- 0x41 < 26 { return value | 0x20 }
        return value == 0x60 ? 0x27 : value
    }

    /// The words of a decomposed text: what punctuation separates, without apostrophes, with long vowels repaired.
    static func words(_ text: ArraySlice<UInt32>, _ table: ScalarTable) -> [UInt32] {
        var output: [UInt32] = []
        output.reserveCapacity(text.count + 8)
        var isOpen = false
        var isUnspaced = false
        var isAfterKana = false
        // A dash that opens "-live-" is closed by another one, which is no long vowel then.
        var isInsideDashes = false

        func begin(unspaced: Bool) {
            if !isOpen || unspaced != isUnspaced, !output.isEmpty { output.append(space) }
            isOpen = true
            isUnspaced = unspaced
        }

        for index in text.indices {
            let scalar = text[index]
            let kind = table.kind(scalar)
            switch kind {
            case .word:
                begin(unspaced: false)
                output.append(scalar)
                isAfterKana = false
            case .ideograph, .kana:
                begin(unspaced: true)
                output.append(scalar)
                isAfterKana = kind == .kana && scalar != longVowel
            case .mark:
                if isOpen { output.append(scalar) }
            case .apostrophe:
                isAfterKana = false
            case .dash, .wave:
                let next = index + 1 < text.endIndex ? table.kind(text[index + 1]) : .space
                let isLongVowel =
                    switch next {
                    case .kana: true
                    case .ideograph: kind == .dash
                    case .word, .mark: false
                    default: kind == .dash && !isInsideDashes
                    }
                if isAfterKana, isLongVowel {
                    output.append(longVowel)
                } else {
                    isInsideDashes = !isOpen && kind == .dash && next != .space
                    isOpen = false
                }
                isAfterKana = false
            case .ampersand:
                isOpen = false
                begin(unspaced: false)
                output.append(contentsOf: [0x61, 0x6E, 0x64])
                isOpen = false
                isAfterKana = false
            case .space, .symbol:
                isAfterKana = false
                if !(scalar == 0x2C && isThousandsSeparator(at: index, in: text)) { isOpen = false }
            }
        }
        return output
    }

    /// Returns `true` if a comma stands as in "10,000".
    private static func isThousandsSeparator(at index: Int, in text: ArraySlice<UInt32>) -> Bool {
        func isDigit(_ place: Int) -> Bool { text.indices.contains(place) && (0x30...0x39).contains(text[place]) }
        return isDigit(index - 1) && isDigit(index + 1) && isDigit(index + 2) && isDigit(index + 3)
            && !isDigit(index + 4)
    }

    /// The one token of a text without words, such as "!!!": all that can be seen.
    static func signs(_ text: ArraySlice<UInt32>, _ table: ScalarTable) -> [UInt32] {
        text.filter { table.kind($0) != .space }
    }

    /// Marks in canonical order, and composed with what they stand on.
    static func composed(_ text: [UInt32], _ table: ScalarTable) -> [UInt32] {
        var output: [UInt32] = []
        output.reserveCapacity(text.count)
        var starter: Int?
        var index = 0
        while index < text.count {
            var end = index
            while end < text.count, table.combiningClass(text[end]) != 0 { end += 1 }
            if end == index {
                let scalar = text[index]
                index += 1
                if let place = starter, place == output.count - 1,
                    let whole = adjacentComposite(output[place], scalar, table)
                {
                    output[place] = whole
                } else {
                    starter = output.count
                    output.append(scalar)
                }
                continue
            }
            var lastClass: UInt8 = 0
            for mark in ordered(text[index..<end], table) {
                let markClass = table.combiningClass(mark)
                if let place = starter, lastClass < markClass {
                    // The lower case of the Turkish capital with a dot is a plain "i".
                    if output[place] == 0x69, mark == 0x307 { continue }
                    if let whole = table.composite(output[place], mark) {
                        output[place] = whole
                        continue
                    }
                }
                lastClass = markClass
                output.append(mark)
            }
            index = end
        }
        return output
    }

    private static func ordered(_ marks: ArraySlice<UInt32>, _ table: ScalarTable) -> [UInt32] {
        // The sort of the standard library keeps the order of equals.
        marks.count == 1 ? Array(marks) : marks.sorted { table.combiningClass($0) < table.combiningClass($1) }
    }

    /// Returns the composition of two neighbors, such as the parts of a Hangul syllable or a letter with a spacing
    /// mark; `nil` if there is none.
    private static func adjacentComposite(_ first: UInt32, _ second: UInt32, _ table: ScalarTable) -> UInt32? {
        switch second {
        case 0..<0x9BE: return nil
        case 0x1161...0x1175 where (0x1100...0x1112).contains(first):
            return 0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28
        case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(first) && (first - 0xAC00) % 28 == 0:
            return first + second - 0x11A7
        default: return table.kind(second) == .mark ? table.composite(first, second) : nil
        }
    }

    /// The scalars as a text.
    static func text(_ scalars: [UInt32]) -> String {
        String(unsafeUninitializedCapacity: scalars.count * 4) { output in
            var count = 0
            func put(_ byte: UInt32) {
                output[count] = UInt8(truncatingIfNeeded: byte)
                count += 1
            }
            for scalar in scalars {
                switch scalar {
                case 0..<0x80: put(scalar)
                case 0x80..<0x800:
                    put(0xC0 | scalar >> 6)
                    put(0x80 | scalar & 0x3F)
                case 0x800..<0x10000:
                    put(0xE0 | scalar >> 12)
                    put(0x80 | scalar >> 6 & 0x3F)
                    put(0x80 | scalar & 0x3F)
                default:
                    put(0xF0 | scalar >> 18)
                    put(0x80 | scalar >> 12 & 0x3F)
                    put(0x80 | scalar >> 6 & 0x3F)
                    put(0x80 | scalar & 0x3F)
                }
            }
            return count
        }
    }
}
