import Foundation

/// Makes the decompositions of all scalars with two calls of Foundation.
struct DecompositionMaker {
    /// Full decompositions of the scalars that have one.
    private let compatible: [UInt32: [UInt32]]
    private let canonical: [UInt32: [UInt32]]
    private let candidates: [UInt32]

    init() {
        // What decomposes and what has letter case lies outside the large uniform blocks.
        let ranges: [ClosedRange<UInt32>] = [0x80...0x1FFFF, 0x2F800...0x2FA1F]
        var candidates: [UInt32] = []
        var lines = String.UnicodeScalarView()
        for value in ranges.joined() where value >= 0x20000 || ScalarTable.uniformKind(of: value) == nil {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
            candidates.append(value)
            lines.append(scalar)
            // A control between two scalars keeps marks from being ordered across them.
            lines.append("\n")
        }
        let text = String(lines)
        self.candidates = candidates
        compatible = Self.lines(of: text.decomposedStringWithCompatibilityMapping, for: candidates)
        canonical = Self.lines(of: text.decomposedStringWithCanonicalMapping, for: candidates)
    }

    private static func lines(of text: String, for candidates: [UInt32]) -> [UInt32: [UInt32]] {
        var found: [UInt32: [UInt32]] = [:]
        var line: [UInt32] = []
        var index = 0
        for scalar in text.unicodeScalars {
            guard scalar == "\n" else {
                line.append(scalar.value)
                continue
            }
            if index < candidates.count, line != [candidates[index]] { found[candidates[index]] = line }
            line.removeAll(keepingCapacity: true)
            index += 1
        }
        return found
    }

    /// The decompositions with letter case, apostrophes and digits folded.
    func foldings() -> [(scalar: UInt32, sequence: [UInt32])] {
        var all: [(UInt32, [UInt32])] = (0x41...0x5A).map { ($0, [$0 + 0x20]) }
        all.append((0x60, [0x27]))
        for value in candidates where mayFold(value) { all.append((value, folding(of: value))) }
        return all
    }

    private func mayFold(_ value: UInt32) -> Bool {
        guard compatible[value] == nil, let properties = Unicode.Scalar(value)?.properties else { return true }
        return properties.changesWhenCaseMapped || properties.isDefaultIgnorableCodePoint
            || Self.substitute(for: value) != nil
    }

    private func folding(of value: UInt32) -> [UInt32] {
        if let substitute = Self.substitute(for: value) { return [substitute] }
        // "№5" is "no. 5", of two words.
        if value == 0x2116 { return [0x6E, 0x6F, 0x20] }
        var sequence = compatible[value] ?? [value]
        // Twice: the folding of a letter may have a decomposition, and that a folding.
        for _ in 0..<2 {
            sequence = sequence.flatMap(Self.caseFolded).flatMap { compatible[$0] ?? [$0] }
        }
        return sequence.map { Self.substitute(for: $0) ?? $0 }.filter { scalar in
            !(Unicode.Scalar(scalar)?.properties.isDefaultIgnorableCodePoint ?? false)
        }
    }

    /// Apostrophes of all kinds are the ASCII one, sound marks of kana the combining ones, decimal digits the ASCII ones.
    private static func substitute(for value: UInt32) -> UInt32? {
        switch value {
        case 0x60, 0xB4, 0x1FEF, 0x1FFD, 0x2BB, 0x2BC, 0x55A, 0x5F3, 0x5F4, 0x2018, 0x2019, 0x201B, 0x2032, 0x2035,
            0xA78C, 0xFF07,
            0xFF40:
            return 0x27
        case 0x309B: return 0x3099
        case 0x309C: return 0x309A
        default: break
        }
        guard value >= 0x80, let properties = Unicode.Scalar(value)?.properties,
            properties.generalCategory == .decimalNumber, let digit = properties.numericValue
        else { return nil }
        return 0x30 + UInt32(digit)
    }

    /// Upper case, then lower case: so "ß" becomes "ss", and both sigmas one.
    private static func caseFolded(_ value: UInt32) -> [UInt32] {
        // The iota below Greek letters stays a mark.
        guard value != 0x345, let properties = Unicode.Scalar(value)?.properties, properties.changesWhenCaseMapped
        else {
            return [value]
        }
        return properties.uppercaseMapping.unicodeScalars.flatMap(\.properties.lowercaseMapping.unicodeScalars)
            .map(\.value)
    }

    /// Composites by first and second part.
    func composites() -> [UInt64: UInt32] {
        var whole: [[UInt32]: UInt32] = [:]
        for (value, sequence) in canonical where isComposite(value) { whole[sequence] = value }
        var found: [UInt64: UInt32] = [:]
        for (sequence, value) in whole {
            let front = Array(sequence.dropLast())
            // A composite of three parts is one of two and a third.
            guard let last = sequence.last, let first = front.count == 1 ? front.first : whole[front] else { continue }
            found[UInt64(first) << 32 | UInt64(last)] = value
        }
        return found
    }

    private func isComposite(_ value: UInt32) -> Bool {
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        return !properties.isFullCompositionExclusion
    }
}
