import AVFAudio
import Earshot
import Foundation
import Observation
import SwiftUI

// A companion to an educational video, for Apple platforms: it listens to the video and shows its questions when they are
// asked. The catalog `lesson.earcat` lies in the app's bundle; its media items carry the timed content.

@main
struct CompanionApp: App {
    var body: some Scene {
        WindowGroup { LessonView() }
    }
}

/// What is heard, and what is to be seen.
@MainActor @Observable
final class Lesson {
    private(set) var episodes: [MediaItem] = []
    private(set) var episode: MatchedMediaItem?
    private(set) var question: TimedEntry?
    private(set) var isAnswerOpen = false
    private(set) var problem: String?

    /// Listens until the task that calls it is cancelled.
    func follow() async {
        do {
            guard let url = Bundle.main.url(forResource: "lesson", withExtension: "earcat") else {
                problem = "The catalog is missing."
                return
            }
            let catalog = try Catalog(contentsOf: url)
            episodes = []
            try catalog.forEachReference { episodes += $0.items }
            guard await AVAudioApplication.requestRecordPermission() else {
                problem = "Allow the microphone in the settings."
                return
            }
            let session = MatchSession(catalog: catalog)
            for try await event in session.liveEvents(from: try Microphone()) { take(event) }
        } catch {
            problem = (error as? EarshotError)?.message ?? error.localizedDescription
        }
    }

    private func take(_ event: LiveEvent) {
        switch event {
        case .session(.matched(let match, _)): episode = match.mediaItems.first
        case .content(let change):
            switch change.event {
            case .entered(let entry): question = entry
            case .left(let entry):
                if question?.id == entry.id { question = nil }
            case .answerOpened: isAnswerOpen = true
            case .answerClosed: isAnswerOpen = false
            case .partShown, .upcoming: break
            }
        case .session, .level: break
        }
    }
}

struct LessonView: View {
    @State private var lesson = Lesson()

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            if let problem = lesson.problem {
                Text(problem)
            } else if let episode = lesson.episode {
                Text(episode.title ?? "").font(.title)
                // The position runs on by itself between matches, so what is visible is worked out anew each time.
                TimelineView(.periodic(from: .now, by: 0.1)) { _ in
                    let position = episode.predictedCurrentMatchOffset
                    Text(position.label).monospacedDigit()
                    if let question = lesson.question { QuestionView(question: question, position: position) }
                }
                if lesson.isAnswerOpen { Button("Answer") {} }
            } else {
                Text("Play one of these:")
                ForEach(Array(lesson.episodes.enumerated()), id: \.offset) { _, item in Text(item.title ?? "") }
            }
        }
        .padding()
        .task { await lesson.follow() }
    }
}

/// A question with the parts of its equation that have been said.
struct QuestionView: View {
    let question: TimedEntry
    let position: MediaTime

    var body: some View {
        VStack(alignment: .leading) {
            Text(question.title).font(.headline)
            HStack {
                ForEach(question.shownParts(at: position)) { part in Text(part.title ?? "") }
            }
        }
    }
}
