import Earshot
import Foundation

// The code of the guide "Moving from ShazamKit", as it is printed there: `GuideTests` compares the two.

final class Recognizer: MatchSessionReceiver {
    let session: MatchSession
    private let show: @Sendable (String?) -> Void

    init(catalog: Catalog, show: @escaping @Sendable (String?) -> Void) {
        session = MatchSession(catalog: catalog)
        self.show = show
        session.setReceiver(self)
    }

    func take(_ buffer: AudioBuffer, at time: MediaTime) {
        session.matchStreamingBuffer(buffer, at: time)
    }

    func session(_ session: MatchSession, didFind match: Match) {
        show(match.mediaItems.first?.title)
    }
}

enum MovingSnippets {
    static func catalog(of song: URL, _ file: URL) async throws {
        let signature = try await SignatureGenerator.signature(from: AssetReader(song))
        let item = try MediaItem(properties: [.title: "Sirius", .artist: "Ada"])
        var catalog = Catalog()
        try catalog.add(signature, representing: [item])
        try catalog.write(to: file)
    }

    static func question(_ catalog: Catalog, show: (String?) -> Void, report: (EarshotError) -> Void) async {
        let session = ManagedSession(catalog: catalog) { try await CaptureSource() }
        session.prepare()
        switch await session.result() {
        case .match(let match): show(match.mediaItems.first?.title)
        case .noMatch: show(nil)
        case .error(let error, _): report(error)
        }
    }
}
