/// Finds what is added to a title: "(Live)", "- Remastered 2011", "feat. X".
enum Annotations {
    /// The scalars of a decomposed text without what is added at its end, or "(feat. …)" anywhere; all of them when nothing
    /// else would be left.
    static func stripped(_ text: [UInt32], _ table: ScalarTable) -> [UInt32] {
        var end = text.count
        // More than a handful of additions has no title; the limit keeps the work linear in the length.
        for _ in 0..<8 {
            while end > 0, table.kind(text[end - 1]) == .space { end -= 1 }
            guard let start = trailing(text[..<end], table), isVisible(text[..<start], table) else { break }
            end = start
        }
        let rest = withoutGuests(text[..<end], table)
        return isVisible(rest[...], table) ? rest : Array(text[..<end])
    }

    /// Returns `true` if a text may have an addition at all: most titles have none.
    static func maySomeStand(in text: [UInt32]) -> Bool {
        text.contains { scalar in
            !(0x61...0x7A ~= scalar) && scalar != KeyScalars.space
                && (closing(for: scalar) != nil || isSeparator(scalar) || isFence(scalar))
        }
    }

    /// Tokens up to "feat", "ft" or "featuring" with a name; all when there is none.
    static func withoutGuests(_ tokens: [UInt32]) -> [UInt32] {
        var start = 0
        for index in tokens.indices where tokens[index] == KeyScalars.space {
            let word = tokens[start..<index]
            if start > 0, word.first == 0x66, guests.contains(where: word.elementsEqual) {
                // "6 ft" is a height.
                let before = tokens[start - 2]
                if !(word.count == 2 && before &- 0x30 < 10) { return Array(tokens[..<(start - 1)]) }
            }
            start = index + 1
        }
        return tokens
    }

    private static func isVisible(_ text: ArraySlice<UInt32>, _ table: ScalarTable) -> Bool {
        text.contains { table.kind($0) != .space }
    }

    // MARK: Finding

    /// Returns the index at which an addition at the very end begins; `nil` if there is none.
    private static func trailing(_ text: ArraySlice<UInt32>, _ table: ScalarTable) -> Int? {
        guard let last = text.last else { return nil }
        if let start = bracketed(text, closing: last),
            AnnotationTokens.isAnnotation(text[(start + 1)..<(text.endIndex - 1)], inBrackets: true, table)
        {
            return start
        }
        if isFence(last), let start = fenced(text, table),
            AnnotationTokens.isAnnotation(text[(start + 1)..<(text.endIndex - 1)], inBrackets: true, table)
        {
            return start
        }
        // The last " - ".
        var index = text.endIndex - 2
        while index > text.startIndex {
            if isSeparator(text[index]), table.kind(text[index - 1]) == .space, table.kind(text[index + 1]) == .space {
                return AnnotationTokens.isAnnotation(text[(index + 1)...], inBrackets: false, table) ? index : nil
            }
            index -= 1
        }
        return nil
    }

    /// The place of the bracket that a closing one belongs to.
    private static func bracketed(_ text: ArraySlice<UInt32>, closing: UInt32) -> Int? {
        var depth = 0
        for index in text.indices.reversed() {
            if text[index] == closing { depth += 1 }
            if Self.closing(for: text[index]) == closing {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    /// The place of the dash or tilde that opens "-live-" at the end.
    private static func fenced(_ text: ArraySlice<UInt32>, _ table: ScalarTable) -> Int? {
        var index = text.endIndex - 2
        while index > text.startIndex {
            if text[index] == text[text.endIndex - 1] {
                return table.kind(text[index - 1]) == .space ? index : nil
            }
            index -= 1
        }
        return nil
    }

    /// Without "(feat. …)" wherever it stands.
    private static func withoutGuests(_ text: ArraySlice<UInt32>, _ table: ScalarTable) -> [UInt32] {
        var output: [UInt32] = []
        var index = text.startIndex
        while index < text.endIndex {
            if closing(for: text[index]) != nil, beginsWithGuest(text[(index + 1)...]) {
                guard let end = text[index...].firstIndex(where: isClosing) else { return output + text[index...] }
                index = end + 1
                output.append(KeyScalars.space)
                continue
            }
            output.append(text[index])
            index += 1
        }
        return output
    }

    private static func beginsWithGuest(_ text: ArraySlice<UInt32>) -> Bool {
        guests.contains { guest in
            text.starts(with: guest)
                && text.dropFirst(guest.count).first.map { $0 == KeyScalars.space || $0 == 0x2E } ?? false
        }
    }

    // MARK: Signs

    private static let guests: [[UInt32]] = ["feat", "ft", "featuring"].map { $0.unicodeScalars.map(\.value) }

    /// The closing bracket of an opening one.
    private static func closing(for scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x28: 0x29
        case 0x5B: 0x5D
        case 0x7B: 0x7D
        case 0x3C: 0x3E
        case 0x27E8: 0x27E9
        case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A: scalar + 1
        default: nil
        }
    }

    private static func isClosing(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x29, 0x5D, 0x7D, 0x3E, 0x27E9, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B:
            true
        default: false
        }
    }

    private static func isSeparator(_ scalar: UInt32) -> Bool {
        scalar == 0x2D || scalar == 0x2F || scalar == 0x7C || (0x2010...0x2015).contains(scalar)
    }

    private static func isFence(_ scalar: UInt32) -> Bool {
        scalar == 0x2D || scalar == 0x7E || scalar == 0x301C || (0x2010...0x2015).contains(scalar)
    }
}
