import EarshotCore
import EarshotTimedContent
import Foundation
import SwiftUI

/// A question with the parts of its equation that have been said, and what answers it.
struct QuestionView: View {
    let lesson: Lesson
    let question: TimedEntry
    let position: MediaTime
    let isStale: Bool

    var body: some View {
        VStack(alignment: .leading) {
            Text(question.title).font(.headline)
            HStack {
                ForEach(question.shownParts(at: position)) { part in Text(part.title ?? "") }
            }
            // Another question begins with nothing chosen.
            if question.isQuestion {
                AnswerView(lesson: lesson, question: question, position: position, isStale: isStale).id(question.id)
            }
        }
    }
}

/// The choices of a question or a field for words, and what came of the answer.
struct AnswerView: View {
    let lesson: Lesson
    let question: TimedEntry
    let position: MediaTime
    let isStale: Bool
    @State private var chosen: Set<String> = []
    @State private var words = ""

    var body: some View {
        if let given = lesson.given {
            Text(given.verdict)
        } else if !isStale, question.answerRange?.contains(position) ?? true {
            if let earlier = lesson.earlierAnswer { Text("Your previous answer: \(earlier.text)") }
            form
        } else {
            Text(reason)
        }
    }

    @ViewBuilder private var form: some View {
        if question.choices.isEmpty {
            TextField("Your answer", text: $words).onSubmit { send() }
            Button("Answer") { send() }.disabled(typed.isEmpty)
        } else if question.allowsSeveralChoices {
            ForEach(question.choices, id: \.self) { choice in Toggle(choice, isOn: isChosen(choice)) }
            Button("Answer") { send() }.disabled(chosen.isEmpty)
        } else {
            ForEach(question.choices, id: \.self) { choice in
                Button(choice) { lesson.answer([choice]) }
            }
        }
    }

    private var typed: String { words.trimmingCharacters(in: .whitespacesAndNewlines) }

    private func isChosen(_ choice: String) -> Binding<Bool> {
        Binding { @MainActor in
            chosen.contains(choice)
        } set: { @MainActor isOn in
            if isOn { chosen.insert(choice) } else { chosen.remove(choice) }
        }
    }

    private func send() {
        let texts = question.choices.isEmpty ? [typed].filter { !$0.isEmpty } : question.choices.filter(chosen.contains)
        lesson.answer(texts)
        (chosen, words) = ([], "")
    }

    /// The reason why no answer is taken.
    private var reason: String {
        if isStale { return "Answers count once the lesson is heard again." }
        if let range = question.answerRange, position < range.lowerBound {
            return "Answers count from \(range.lowerBound.label) on."
        }
        guard let right = question.rightAnswers else { return "Time is up." }
        return "Time is up. Correct answer: \(right.joined(separator: ", "))"
    }
}
