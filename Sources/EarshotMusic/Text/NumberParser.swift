/// Numbers of a title, in whatever way they are written, as digits.
struct NumberParser {
    /// The tokens with digits.
    private(set) var output: [UInt32] = []
    /// `true` if digits stand for what was the last token.
    private(set) var lastWasRead = false

    private let tokens: [UInt32]
    private var ranges: [Range<Int>] = []
    private var words: [NumberWord?] = []

    /// Reads the numbers of tokens with a single space between them; `nil` when there is nothing to change.
    init?(_ tokens: [UInt32]) {
        self.tokens = tokens
        // Most titles have no number: nothing is kept for them.
        var start = 0
        var isChanged = false
        for index in 0...tokens.count where index == tokens.count || tokens[index] == KeyScalars.space {
            // "And", "oh" and digits say nothing without a neighbour.
            switch NumberWord.of(tokens[start..<index]) {
            case nil, .and, .oh, .digits: break
            default: isChanged = true
            }
            if isChanged { break }
            start = index + 1
        }
        guard isChanged else { return nil }
        start = 0
        for index in 0...tokens.count where index == tokens.count || tokens[index] == KeyScalars.space {
            ranges.append(start..<index)
            words.append(NumberWord.of(tokens[start..<index]))
            start = index + 1
        }
        read()
    }

    private func word(_ index: Int) -> NumberWord? {
        words.indices.contains(index) ? words[index] : nil
    }

    private mutating func read() {
        output.reserveCapacity(tokens.count)
        var index = 0
        while index < ranges.count {
            if index > 0 { output.append(KeyScalars.space) }
            lastWasRead = true
            if let (value, length) = ordinal(at: index) {
                put("\(value)\(Self.ending(of: value))")
                index += length
            } else if let (value, length) = cardinal(at: index) {
                put(String(value))
                index += length
            } else {
                switch words[index] {
                case .roman(let value): put(String(value))
                case .eye where isDivision(index - 1): put("1")
                case .abbreviation(let name) where beginsNumber(index + 1, after: index): put(name.rawValue)
                default:
                    output.append(contentsOf: tokens[ranges[index]])
                    lastWasRead = false
                }
                index += 1
            }
        }
    }

    private mutating func put(_ text: String) {
        output.append(contentsOf: text.unicodeScalars.lazy.map(\.value))
    }

    private static func ending(of value: Int) -> String {
        switch (value % 100, value % 10) {
        case (11...13, _): "th"
        case (_, 1): "st"
        case (_, 2): "nd"
        case (_, 3): "rd"
        default: "th"
        }
    }

    private func isDivision(_ index: Int) -> Bool {
        switch word(index) {
        case .division, .abbreviation(.part), .abbreviation(.volume): true
        default: false
        }
    }

    private func beginsNumber(_ index: Int, after abbreviation: Int) -> Bool {
        switch word(index) {
        case .digits, .roman: true
        case .eye: isDivision(abbreviation)
        case .some(let word): word.beginsCardinal && ordinal(at: index) == nil
        case nil: false
        }
    }

    // MARK: Grammar

    /// "Second", "twenty first".
    private func ordinal(at index: Int) -> (value: Int, length: Int)? {
        switch (word(index), word(index + 1)) {
        case (.tens(let tens), .ordinal(let unit)) where unit < 10: (tens + unit, 2)
        case (.ordinal(let value), _): (value, 1)
        default: nil
        }
    }

    /// A whole number below a million, or a year in pairs.
    private func cardinal(at index: Int) -> (value: Int, length: Int)? {
        if let year = year(at: index) { return year }
        var value: Int
        var length: Int
        if case .digits(let count) = word(index) {
            // "10 thousand"; digits alone stay what they are.
            if case .thousand = word(index + 1), count < 1000 {
                (value, length) = (count, 1)
            } else if case .hundred = word(index + 1), count < 100, let hundreds = belowThousand(at: index) {
                (value, length) = hundreds
            } else {
                return nil
            }
        } else if case .thousand = word(index) {
            (value, length) = (1, 0)
        } else if let hundreds = belowThousand(at: index) {
            (value, length) = hundreds
        } else {
            return nil
        }
        if value < 1000, case .thousand = word(index + length) {
            value *= 1000
            length += 1
            let skipped = word(index + length) == .and ? 1 : 0
            if let rest = belowThousand(at: index + length + skipped), rest.value > 0, rest.value < 1000,
                !isDigits(index + length + skipped), word(index + length + skipped + rest.length) != .thousand,
                year(at: index + length + skipped) == nil
            {
                value += rest.value
                length += skipped + rest.length
            }
        }
        return (value, length)
    }

    private func isDigits(_ index: Int) -> Bool {
        if case .digits = word(index) { return true }
        return false
    }

    /// "Nineteen thirty one", "twenty oh one", "ten sixty six"; no counting such as "ten eleven twelve".
    private func year(at index: Int) -> (value: Int, length: Int)? {
        guard let century = belowHundred(at: index), (10...21).contains(century.value), !isCounting(at: index) else {
            return nil
        }
        let next = index + century.length
        var year: (value: Int, length: Int)
        if word(next) == .oh, case .small(let unit) = word(next + 1), (1...9).contains(unit) {
            year = (unit, 2)
        } else if let pair = belowHundred(at: next), pair.value >= (century.value < 13 ? 20 : 10) {
            year = pair
        } else {
            return nil
        }
        guard !(word(next + year.length)?.beginsCardinal ?? false) else { return nil }
        year.value += century.value * 100
        return (year.value, century.length + year.length)
    }

    /// Returns `true` if a number stands right before another one.
    private func isCounting(at index: Int) -> Bool {
        switch word(index - 1) {
        case .small, .tens: true
        default: false
        }
    }

    private func belowThousand(at index: Int) -> (value: Int, length: Int)? {
        var value: Int
        var length: Int
        if case .hundred = word(index) {
            (value, length) = (1, 0)
        } else if case .digits(let count) = word(index) {
            (value, length) = (count, 1)
        } else if let small = belowHundred(at: index) {
            (value, length) = small
        } else {
            return nil
        }
        guard (1...99).contains(value), case .hundred = word(index + length) else { return (value, length) }
        value *= 100
        length += 1
        let skipped = word(index + length) == .and ? 1 : 0
        if let rest = belowHundred(at: index + length + skipped), rest.value > 0,
            word(index + length + skipped + rest.length) != .hundred
        {
            value += rest.value
            length += skipped + rest.length
        }
        return (value, length)
    }

    private func belowHundred(at index: Int) -> (value: Int, length: Int)? {
        switch (word(index), word(index + 1)) {
        case (.tens(let tens), .small(let unit)) where (1...9).contains(unit): (tens + unit, 2)
        case (.tens(let value), _), (.small(let value), _): (value, 1)
        default: nil
        }
    }
}
