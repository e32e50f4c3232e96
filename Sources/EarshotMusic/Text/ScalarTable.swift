/// The kind of a scalar in a key for searching.
enum ScalarKind: UInt8 {
    /// White space, controls, and what is never seen.
    case space
    /// Letters, numbers, and what no version of Unicode known here has assigned.
    case word
    /// Han and Hangul, written without spaces that could be relied on.
    case ideograph
    /// Hiragana and katakana.
    case kana
    /// Combining marks.
    case mark
    /// Removed inside words.
    case apostrophe
    /// Hyphens and dashes; a long-vowel mark after kana.
    case dash
    /// Tilde and wave dash; a long-vowel mark between kana.
    case wave
    /// Stands for "and".
    case ampersand
    /// All other punctuation and symbols.
    case symbol
}

/// Properties and decompositions of all scalars, made once in the process.
///
/// A title is then normalized by looking up numbers in arrays: Foundation and the properties of `Unicode.Scalar` are
/// asked here, once, and not for each title. What Foundation has to do is one call.
struct ScalarTable: Sendable {
    static let shared = ScalarTable()

    /// Scalars below this have a slot of their own number; the compatibility ideographs follow.
    private static let plain = 0x20000
    private static let compatibilityIdeographs = 0x2F800..<0x2FA20

    private let kinds: [UInt8]
    private let classes: [UInt8]
    /// The index of a scalar's decomposition in `pool`; 0 if the scalar is its own decomposition.
    private let places: [UInt32]
    /// Decompositions, each after its length.
    private let pool: [UInt32]
    /// Composites by first and second part.
    private let composites: [UInt64: UInt32]

    private init() {
        let maker = DecompositionMaker()
        let count = Self.plain + Self.compatibilityIdeographs.count
        var kinds = [UInt8](repeating: ScalarKind.word.rawValue, count: count)
        var classes = [UInt8](repeating: 0, count: count)
        for slot in 0..<count {
            guard let scalar = Unicode.Scalar(UInt32(Self.value(ofSlot: slot))) else { continue }
            if let kind = Self.uniformKind(of: scalar.value) {
                kinds[slot] = kind.rawValue
                continue
            }
            kinds[slot] = Self.kind(of: scalar).rawValue
            if kinds[slot] == ScalarKind.mark.rawValue {
                classes[slot] = scalar.properties.canonicalCombiningClass.rawValue
            }
        }
        var places = [UInt32](repeating: 0, count: count)
        var pool: [UInt32] = [0]
        for (scalar, sequence) in maker.foldings() where sequence != [scalar] {
            places[Self.slot(of: scalar) ?? 0] = UInt32(pool.count)
            pool.append(UInt32(sequence.count))
            pool.append(contentsOf: sequence)
        }
        self.kinds = kinds
        self.classes = classes
        self.places = places
        self.pool = pool
        composites = maker.composites()
    }

    private static func slot(of scalar: UInt32) -> Int? {
        if scalar < UInt32(plain) { return Int(scalar) }
        guard compatibilityIdeographs.contains(Int(scalar)) else { return nil }
        return plain + Int(scalar) - compatibilityIdeographs.lowerBound
    }

    private static func value(ofSlot slot: Int) -> Int {
        slot < plain ? slot : slot - plain + compatibilityIdeographs.lowerBound
    }

    /// Returns the kind of a scalar.
    @inline(__always)
    func kind(_ scalar: UInt32) -> ScalarKind {
        if scalar < UInt32(Self.plain) { return ScalarKind(rawValue: kinds[Int(scalar)]) ?? .word }
        return scalar < 0x40000 ? .ideograph : .word
    }

    /// The canonical combining class of a scalar.
    @inline(__always)
    func combiningClass(_ scalar: UInt32) -> UInt8 {
        scalar < UInt32(Self.plain) ? classes[Int(scalar)] : 0
    }

    /// Appends what a scalar decomposes to, letter case folded.
    @inline(__always)
    func appendFolded(_ scalar: UInt32, to output: inout [UInt32]) {
        guard let slot = Self.slot(of: scalar) else {
            // Tags and variation selectors say nothing.
            if !(0xE0000...0xE0FFF).contains(scalar) { output.append(scalar) }
            return
        }
        let place = Int(places[slot])
        if place == 0 {
            output.append(scalar)
        } else {
            for index in 0..<Int(pool[place]) { output.append(pool[place + 1 + index]) }
        }
    }

    /// Returns the scalar that two compose to; `nil` if there is none.
    @inline(__always)
    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        composites[UInt64(first) << 32 | UInt64(second)]
    }
}

extension ScalarTable {
    /// The kind of a scalar inside a large block of one kind: these are not asked for one by one.
    static func uniformKind(of scalar: UInt32) -> ScalarKind? {
        switch scalar {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x3FFFF: .ideograph
        case 0xE000...0xF8FF, 0x17000...0x18CFF: .word
        default: nil
        }
    }

    private static func kind(of scalar: Unicode.Scalar) -> ScalarKind {
        switch scalar.value {
        case 0x27: return .apostrophe
        case 0x26: return .ampersand
        case 0x7E, 0x301C, 0x3030: return .wave
        case 0x2D, 0x2010...0x2015, 0x2212, 0x2500, 0x2501, 0x2E3A, 0x2E3B: return .dash
        case 0x30FB: return .symbol
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A0...0x30FF, 0x31F0...0x31FF, 0x1B000...0x1B16F: return .kana
        case 0x2E80...0x2FDF, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3105...0x312F, 0x31A0...0x31BF,
            0xF900...0xFAFF, 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xD7B0...0xD7FB:
            return .ideograph
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .unassigned, .privateUse, .surrogate:
            return .word
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format: return .space
        default: return .symbol
        }
    }
}
