import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import SwiftUI

// A companion to an educational video, for Apple platforms: it listens to the video, shows its questions when they are asked, and
// takes the answers. The catalog `lesson.earcat` lies in the app's bundle; its media items carry the timed content. None of the
// modules that it imports needs FFmpeg.

@main
struct CompanionApp: App {
    var body: some Scene {
        WindowGroup { LessonView() }
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
                    let isStale = episode.position.isStale
                    Text(position.label).monospacedDigit()
                    if let question = lesson.question {
                        QuestionView(lesson: lesson, question: question, position: position, isStale: isStale)
                    }
                }
                if !lesson.answers.isEmpty {
                    DisclosureGroup("Your answers (\(lesson.answers.count))") {
                        ForEach(lesson.answers) { answer in Text("\(answer.question.title): \(answer.text)") }
                    }
                }
            } else {
                Text("Play one of these:")
                ForEach(Array(lesson.episodes.enumerated()), id: \.offset) { _, item in Text(item.title ?? "") }
            }
        }
        .padding()
        .task { await lesson.follow() }
    }
}
