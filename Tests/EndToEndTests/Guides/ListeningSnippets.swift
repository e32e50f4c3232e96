import Earshot
import Foundation

// The code of the guide "Listening live", as it is printed there: `GuideTests` compares the two.

final class Listener: MatchSessionReceiver {
    private let show: @Sendable (String) -> Void

    init(show: @escaping @Sendable (String) -> Void) { self.show = show }

    func session(_ session: MatchSession, didFind match: Match) {
        show(match.mediaItems.first?.title ?? "?")
    }

    func session(_ session: MatchSession, didNotFindMatchFor signature: Signature, error: EarshotError?) {
        show(error?.message ?? "nothing known")
    }
}

enum ListeningSnippets {
    static func microphone() async throws -> CaptureSource {
        let microphone = try await CaptureSource()
        return microphone
    }

    static func session(_ catalog: Catalog) -> MatchSession {
        let session = MatchSession(catalog: catalog)
        return session
    }

    static func filtered(_ catalog: Catalog) -> MatchSession {
        let options = MatchSession.Options(repeats: .itemChanges)
        let session = MatchSession(catalog: catalog, options: options)
        return session
    }

    static func events(
        of session: MatchSession,
        hearing microphone: some AudioSource,
        show: (String) -> Void
    ) async throws {
        for try await event in session.events(from: microphone) {
            switch event {
            case .matched(let match, let changes):
                guard let item = match.mediaItems.first else { continue }
                show("\(item.title ?? "?") at \(item.predictedCurrentMatchOffset.label): \(changes[0])")
            case .lost(let match):
                show("\(match.references[0].id) is heard no longer")
            case .notMatched:
                show("nothing known")
            case .failed(let error, _):
                show("\(error.code): \(error.message)")
            }
        }
    }

    static func position(_ item: MatchedMediaItem, show: (String) -> Void) {
        let position = item.position
        if position.hasEnded {
            show("over")
        } else if position.isStale {
            show("last known \(position.current.label)")
        } else {
            show("now \(position.current.label)")
        }
    }

    static func chorus(_ item: MatchedMediaItem, show: @Sendable (String) -> Void) async throws {
        let chorus = MediaTime(value: 62, timescale: 1)
        let instant = item.position.prediction.instant(of: chorus)
        try await item.position.clock.sleep(until: instant)
        show("the chorus")
    }

    static func device(_ microphone: CaptureSource, show: (String) -> Void) async {
        for await event in microphone.events {
            switch event {
            case .deviceLost, .interrupted: show("no sound")
            case .deviceBack, .resumed: show("sound again")
            case .overload(let lost): show("\(lost.seconds) s were not taken in time")
            case .started, .ended: break
            }
        }
    }

    static func push(
        _ samples: [Float],
        at time: MediaTime,
        to session: MatchSession
    ) -> some AsyncSequence<MatchSession.Result, Never> {
        let results = session.results
        session.matchStreamingBuffer(AudioBuffer(samples, sampleRate: 48_000), at: time)
        return results
    }

    static func results(
        _ results: some AsyncSequence<MatchSession.Result, Never>,
        show: (String) -> Void
    ) async {
        for await result in results {
            switch result {
            case .match(let match): show(match.mediaItems.first?.title ?? "?")
            case .noMatch: show("nothing known")
            case .error(let error, _): show(error.message)
            }
        }
    }

    static func receiver(of session: MatchSession, show: @escaping @Sendable (String) -> Void) -> Listener {
        let listener = Listener(show: show)
        session.setReceiver(listener)
        return listener
    }

    static func replace(in session: MatchSession, by download: URL) throws {
        var larger = session.catalog
        try larger.add(contentsOf: download)
        session.replace(larger)
    }

    static func managed(_ catalog: Catalog) -> ManagedSession {
        let session = ManagedSession(catalog: catalog) { try await CaptureSource() }
        return session
    }

    static func question(_ session: ManagedSession, show: (String) -> Void) async {
        session.prepare()
        switch await session.result() {
        case .match(let match): show(match.mediaItems.first?.title ?? "?")
        case .noMatch: show("nothing known")
        case .error(let error, _): show(error.message)
        }
    }
}
