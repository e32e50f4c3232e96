/// A text with letter case, widths and composition folded and everything else kept, signs and spaces included: for tests of
/// what a text holds. ``SearchText`` is for finding a title, this is for looking into one.
package struct FoldedText: Hashable, Sendable {
    /// The folded text, as Unicode scalars.
    package let scalars: [UInt32]

    /// Folds a text.
    package init(_ text: String) {
        scalars = KeyScalars.composed(KeyScalars.decomposed(text, .shared), .shared)
    }

    /// Returns `true` if this text contains another one; `false` for an empty one.
    package func contains(_ part: FoldedText) -> Bool {
        places(of: part).contains { _ in true }
    }

    /// Returns `true` if this text contains another one as whole words: "the" in "The End", and not in "weather".
    ///
    /// An apostrophe within a word does not end it. Between characters of Han, kana and Hangul, which are written without
    /// spaces, a word may begin and end anywhere.
    package func containsWords(_ part: FoldedText) -> Bool {
        places(of: part).contains { isBoundary($0.lowerBound) && isBoundary($0.upperBound) }
    }

    /// Returns `true` if the whole text fits a pattern, in which `*` stands for any text, `?` for one character, and a
    /// backslash before a sign for that sign. Takes time in the order of the product of both lengths, whatever the
    /// pattern.
    package func fits(_ pattern: FoldedText) -> Bool {
        let steps = pattern.steps
        var (place, step) = (0, 0)
        /// The last `*`, and where the text goes on behind what it stands for.
        var retry: (step: Int, place: Int)?
        while place < scalars.count {
            if step < steps.count, steps[step] == .any {
                retry = (step, place)
                step += 1
            } else if step < steps.count, steps[step] == .one || steps[step] == .scalar(scalars[place]) {
                (place, step) = (place + 1, step + 1)
            } else if let (star, begin) = retry {
                retry = (star, begin + 1)
                (place, step) = (begin + 1, star + 1)
            } else {
                return false
            }
        }
        return steps[step...].allSatisfy { $0 == .any }
    }

    private enum Step: Equatable {
        case any, one, scalar(UInt32)
    }

    private var steps: [Step] {
        var steps: [Step] = []
        var isEscaped = false
        for scalar in scalars {
            switch scalar {
            case 0x5C where !isEscaped:
                isEscaped = true
                continue
            case 0x2A where !isEscaped: if steps.last != .any { steps.append(.any) }
            case 0x3F where !isEscaped: steps.append(.one)
            default: steps.append(.scalar(scalar))
            }
            isEscaped = false
        }
        if isEscaped { steps.append(.scalar(0x5C)) }
        return steps
    }

    /// Returns the places where a text stands in this one, without separating a letter from its marks.
    private func places(of part: FoldedText) -> some Sequence<Range<Int>> {
        let length = part.scalars.count
        let starts = length == 0 || length > scalars.count ? 0..<0 : 0..<(scalars.count - length + 1)
        return starts.lazy.filter { start in
            scalars[start] == part.scalars[0] && scalars[start..<(start + length)].elementsEqual(part.scalars)
                && (start + length == scalars.count || ScalarTable.shared.kind(scalars[start + length]) != .mark)
        }
        .map { $0..<($0 + length) }
    }

    /// Returns `true` if a word may begin or end at a place.
    private func isBoundary(_ place: Int) -> Bool {
        guard place > 0, place < scalars.count else { return true }
        let (left, right) = (ScalarTable.shared.kind(scalars[place - 1]), ScalarTable.shared.kind(scalars[place]))
        if right == .mark { return false }
        if left == .apostrophe { return !(place > 1 && isLetter(place - 2) && right == .word) }
        if right == .apostrophe { return !(isLetter(place - 1) && place + 1 < scalars.count && isLetter(place + 1)) }
        return !(left == .word || left == .mark) || right != .word
    }

    private func isLetter(_ place: Int) -> Bool {
        [.word, .mark].contains(ScalarTable.shared.kind(scalars[place]))
    }
}
