import EarshotCatalogs
import Foundation

// Questions as the pages of a service show them: what is in the payload of an entry, as Docs/formats/timed-content.md lists it.
extension TimedEntry {
    /// `true` if the entry asks for an answer, or has ``choices`` or ``rightAnswers``.
    public var isQuestion: Bool { requiresAnswer || !choices.isEmpty || rightAnswers != nil }

    /// The texts to choose an answer from, from `choices` of the payload; empty for a question that is answered in words.
    public var choices: [String] { payload["choices"]?.array?.compactMap(\.string) ?? [] }

    /// `true` if more than one of the ``choices`` may be chosen, by `several` of the payload.
    public var allowsSeveralChoices: Bool { payload["several"]?.boolean == true }

    /// The right answers, from `answer` of the payload, which is one value or an array; `nil` if none is given. Numbers are
    /// written without a fraction of zero: `5`.
    public var rightAnswers: [String]? {
        guard let answer = payload["answer"] else { return nil }
        return (answer.array ?? [answer]).compactMap(\.answerText)
    }

    /// Compares an answer with the ``rightAnswers``.
    ///
    /// Of choices exactly the right ones have to be chosen, in any order. Of an answer in words, case and white space around it
    /// do not count, and one of the right answers is enough.
    ///
    /// - Parameter answers: The chosen texts, or one text in words.
    /// - Returns: `nil` if the entry has no right answers: then every answer counts.
    public func isRight(_ answers: [String]) -> Bool? {
        guard let right = rightAnswers else { return nil }
        guard choices.isEmpty else { return Set(right) == Set(answers) }
        func plain(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
        return right.contains { plain($0) == plain(answers.first ?? "") }
    }
}

extension PropertyValue {
    /// The value as an answer; `nil` for values that nobody can type.
    fileprivate var answerText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .real(let number): Int64(exactly: number).map { String($0) } ?? String(number)
        case .boolean(let value): String(value)
        case .date, .data, .array, .dictionary: nil
        }
    }
}
