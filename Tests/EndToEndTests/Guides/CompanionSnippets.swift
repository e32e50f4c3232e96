import Earshot
import Foundation

// The code of the guide "A companion app", as it is printed there: `GuideTests` compares the two.

struct LessonScreen {
    var question: TimedEntry?
    var parts: [TimedPart] = []
    var takesAnswers = false
    var isWaiting = true

    mutating func show(_ event: TimedEvent) {
        switch event {
        case .entered(let entry): (question, parts) = (entry, [])
        case .partShown(_, let part): parts.append(part)
        case .answerOpened: takesAnswers = true
        case .answerClosed: takesAnswers = false
        case .left: (question, parts) = (nil, [])
        case .upcoming: break
        }
    }
}

func isRight(_ answer: String, to question: TimedEntry, at position: LivePosition) -> Bool? {
    guard !position.isStale, question.acceptsAnswer(at: position.current) else { return nil }
    return question.payload["answer"]?.string == answer
}

func line(for match: Match, _ changes: [MatchChange]) -> String {
    let best = match.references[0]
    let speed = (best.speedSkew * 1_000).rounded() / 10
    return "\(match.catalog) \(best.id) at \(best.offset.label), \(speed) % fast, \(best.confidence) \(changes)"
}

enum CompanionSnippets {
    static func lesson(_ file: URL, _ recording: URL, _ bundled: URL, show: (String) -> Void) async throws -> Timeline {
        var catalog = Catalog()
        let content = try Timeline(data: Data(contentsOf: file), name: file.lastPathComponent)
        let asset = try await Asset.load(recording)
        for warning in content.warnings(duration: asset.duration) { show(warning.message) }
        let item = try MediaItem(asset).with(timeline: content)
        let signature = try await SignatureGenerator.signature(from: AssetReader(asset))
        try catalog.add(signature, representing: [item], id: "lesson")
        try catalog.write(to: bundled)
        return content
    }

    static func follow(
        _ microphone: some AudioSource,
        by session: MatchSession,
        draw: (LessonScreen) -> Void
    ) async throws {
        var screen = LessonScreen()
        var position: LivePosition?
        for try await event in session.liveEvents(from: microphone) {
            switch event {
            case .session(.matched(let match, _)): position = match.mediaItems.first?.position
            case .session: break
            case .content(let change): screen.show(change.event)
            case .level: screen.isWaiting = position?.isStale ?? true
            }
            draw(screen)
        }
    }

    static func announced(
        _ content: Timeline,
        _ microphone: some AudioSource,
        by session: MatchSession
    ) -> AsyncThrowingStream<LiveEvent, any Error> {
        let settings = TimedContentPlayer.Configuration(lookAhead: MediaTime(value: 3, timescale: 1))
        let follower = TimedContentScheduler(timelines: ["lesson": content], configuration: settings)
        let events = session.liveEvents(from: microphone, content: follower)
        return events
    }

    static func merged(_ bundled: URL, _ episodes: [URL], show: (String) -> Void) throws -> Catalog {
        var catalog = try Catalog(contentsOf: bundled)
        for episode in episodes {
            let result = try catalog.add(contentsOf: episode)
            show("\(result.added) added, \(result.skipped) there already")
        }
        return catalog
    }
}
