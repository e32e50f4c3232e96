/// Decodes what a Music Player Daemon sends: a state machine without a connection.
///
/// However the bytes are cut, the answers are the same. After a fault there are no more answers.
struct MPDDecoder {
    /// A line with a name and a value.
    struct Pair: Hashable, Sendable {
        let name, value: String
    }

    /// A refused command.
    struct Refusal: Hashable, Sendable {
        /// The daemon's number of the reason.
        let code: Int
        /// The command's index in its list.
        let index: Int
        /// The name of the command; empty for an unknown one.
        let command: String
        /// The reason in words.
        let message: String
    }

    /// The reason for which the bytes cannot be decoded.
    enum Fault: String, Hashable, Sendable {
        /// The first line is not that of a daemon.
        case noGreeting = "it does not greet as MPD does"
        /// A line is neither a pair nor the end of an answer.
        case unreadable = "a line cannot be read"
        /// A line is longer than it may be.
        case lineTooLong = "a line is too long"
        /// An answer is larger than it may be, or has more lines.
        case answerTooLarge = "an answer is too large"
    }

    /// A complete answer.
    enum Answer: Hashable, Sendable {
        /// The greeting at the beginning, with the version of the protocol.
        case greeting(version: String)
        /// The pairs of each command.
        case done([[Pair]])
        /// A command was refused.
        case refused(Refusal)
        /// The bytes cannot be decoded; it is the last answer.
        case fault(Fault)
    }

    private enum State: Hashable {
        case greeting, answers, ended
    }

    /// The limits of what is taken.
    struct Limits: Hashable, Sendable {
        /// The most bytes of a line.
        var line = 64 << 10
        /// The most bytes of an answer.
        var answer = 16 << 20
        /// The most lines of an answer.
        var lines = 200_000
    }

    private let limits: Limits
    private var state = State.greeting
    private var line: [UInt8] = []
    private var size = 0
    private var lines = 0
    private var sections: [[Pair]] = []
    private var pairs: [Pair] = []

    /// A decoder at the beginning of a connection.
    init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Takes bytes in.
    ///
    /// - Returns: The answers that have ended with them.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [Answer] {
        var answers: [Answer] = []
        for byte in bytes {
            guard state != .ended else { break }
            size += 1
            if size > limits.answer {
                answers.append(end(.answerTooLarge))
            } else if byte != 0x0A {
                if line.count < limits.line { line.append(byte) } else { answers.append(end(.lineTooLong)) }
            } else if let answer = take(String(decoding: line, as: UTF8.self)) {
                answers.append(answer)
            }
        }
        return answers
    }

    /// Takes a line in, and returns the answer that it ends.
    private mutating func take(_ text: String) -> Answer? {
        line.removeAll(keepingCapacity: true)
        lines += 1
        guard lines <= limits.lines else { return end(.answerTooLarge) }
        if state == .greeting {
            guard text.hasPrefix("OK MPD ") else { return end(.noGreeting) }
            state = .answers
            reset()
            return .greeting(version: String(text.dropFirst(7)))
        }
        switch text {
        case "OK":
            if sections.isEmpty || !pairs.isEmpty { sections.append(pairs) }
            defer { reset() }
            return .done(sections)
        case "list_OK":
            sections.append(pairs)
            pairs = []
            return nil
        default:
            if text.hasPrefix("ACK ") {
                guard let refusal = Refusal(text) else { return end(.unreadable) }
                reset()
                return .refused(refusal)
            }
            guard let pair = Pair(text) else { return end(.unreadable) }
            pairs.append(pair)
            return nil
        }
    }

    private mutating func reset() { (size, lines, sections, pairs) = (0, 0, [], []) }

    private mutating func end(_ fault: Fault) -> Answer {
        reset()
        (state, line) = (.ended, [])
        return .fault(fault)
    }
}

extension MPDDecoder.Pair {
    /// A line `name: value`. Bytes of a picture, which nobody asks for, would follow `binary`.
    fileprivate init?(_ line: String) {
        var rest = line[...]
        guard let name = rest.taken(through: UInt8(ascii: ":")), !name.isEmpty, name != "binary",
            rest.isEmpty || rest.utf8.first == UInt8(ascii: " ")
        else { return nil }
        // Scalars: a blank and a combining mark behind it are one character.
        (self.name, value) = (String(name), String(rest.unicodeScalars.dropFirst()))
    }
}

extension MPDDecoder.Refusal {
    /// A line `ACK [code@index] {command} message`.
    fileprivate init?(_ line: String) {
        var rest = line[...]
        guard rest.taken(through: UInt8(ascii: "[")) == "ACK ",
            let code = rest.taken(through: UInt8(ascii: "@")).flatMap({ Int($0) }),
            let index = rest.taken(through: UInt8(ascii: "]")).flatMap({ Int($0) }),
            rest.taken(through: UInt8(ascii: "{")) == " ",
            let command = rest.taken(through: UInt8(ascii: "}"))
        else { return nil }
        (self.code, self.index, self.command) = (code, index, String(command))
        message = String(rest.unicodeScalars.drop { $0 == " " })
    }
}

extension Substring {
    /// Removes the text before a byte, and the byte, and returns the text; `nil` if there is no such byte.
    fileprivate mutating func taken(through end: UInt8) -> Substring? {
        guard let place = utf8.firstIndex(of: end) else { return nil }
        defer { self = self[utf8.index(after: place)...] }
        return self[..<place]
    }
}
