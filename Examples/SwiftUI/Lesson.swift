import AVFAudio
import EarshotCatalogs
import EarshotCore
import EarshotSessions
import EarshotTimedContent
import Foundation
import Observation

/// An answer to a question of a lesson.
struct GivenAnswer: Identifiable {
    let id = UUID()
    let question: TimedEntry
    let texts: [String]

    var text: String { texts.joined(separator: ", ") }

    /// The sentence that follows on the answer.
    var verdict: String {
        guard let isRight = question.isRight(texts) else { return "Your answer: \(text)" }
        let right = question.rightAnswers?.joined(separator: ", ") ?? ""
        return isRight ? "Correct: \(text)" : "Your answer: \(text). Correct answer: \(right)"
    }
}

/// The lesson that is heard, what belongs to its place, and the answers that were given.
@MainActor @Observable
final class Lesson {
    private(set) var episodes: [MediaItem] = []
    private(set) var episode: MatchedMediaItem?
    private(set) var question: TimedEntry?
    private(set) var problem: String?
    /// All answers, oldest first. They stay on the device.
    private(set) var answers: [GivenAnswer] = []
    /// The answer to the question that is shown; `nil` until it is given, and when the question is asked again.
    private(set) var given: GivenAnswer?

    /// Listens until the task that calls it is canceled.
    func follow() async {
        do {
            guard let url = Bundle.main.url(forResource: "lesson", withExtension: "earcat") else {
                problem = "The catalog is missing."
                return
            }
            let catalog = try Catalog(contentsOf: url)
            var items: [MediaItem] = []
            try catalog.forEachReference { items += $0.items }
            episodes = items
            guard await AVAudioApplication.requestRecordPermission() else {
                problem = "Allow the microphone in the settings."
                return
            }
            // Every match is passed on: a jump back within a question asks it again.
            let session = MatchSession(catalog: catalog, options: .init(repeats: .all))
            for try await event in session.liveEvents(from: try Microphone()) { take(event) }
        } catch {
            problem = (error as? EarshotError)?.message ?? error.localizedDescription
        }
    }

    /// Takes an answer to the question that is shown, once for each time it is asked. It counts by where playback is now, not by
    /// what is on the screen.
    func answer(_ texts: [String]) {
        guard let question, given == nil, !texts.isEmpty, let position = episode?.position, !position.isStale,
            question.answerRange?.contains(position.current) ?? true
        else { return }
        let answer = GivenAnswer(question: question, texts: texts)
        given = answer
        answers.append(answer)
    }

    /// The last answer to the question that is shown, from an earlier time that it was asked.
    var earlierAnswer: GivenAnswer? { answers.last { $0.question.id == question?.id } }

    private func take(_ event: LiveEvent) {
        switch event {
        case .session(.matched(let match, let changes)):
            episode = match.mediaItems.first
            for case .moved(let jump) in changes where jump < MediaTime(value: -1, timescale: 1) { given = nil }
        case .content(let change):
            switch change.event {
            case .entered(let entry): (question, given) = (entry, nil)
            case .left(let entry):
                if question?.id == entry.id { (question, given) = (nil, nil) }
            // The view shows these by the position, many times a second.
            case .answerOpened, .answerClosed, .partShown, .upcoming: break
            }
        case .session, .level: break
        }
    }
}
