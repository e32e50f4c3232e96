import Earshot
import EarshotMetadata
import EarshotSQLite
import Foundation
import Synchronization

/// Adds what is heard to the user's history: an entry when something begins to be heard, and how long it was heard when it
/// no longer is.
final class HistoryKeeper: Sendable {
    private enum Step: Sendable {
        case began(MusicMatch, Date)
        case heard(Double)
    }

    /// Something that is heard, or was heard last.
    private struct Hearing {
        let id: ReferenceID
        var isHeard = true
        var since: Date
        /// How long it was heard before that, in seconds.
        var earlier = 0.0
    }

    /// How long a session goes on after it heard something last, in seconds, before it says that it is lost.
    private static let patience = 4.0

    private let steps: AsyncStream<Step>.Continuation
    private let task: Task<Void, any Error>
    private let hearing = Mutex<Hearing?>(nil)

    init(_ operation: HistoryEntry.Operation, store: any HistoryStore = HistoryDatabase.store()) {
        let (stream, steps) = AsyncStream.makeStream(of: Step.self)
        self.steps = steps
        // One after the other, beside the listening.
        task = Task {
            var id: Int?
            for await step in stream {
                switch step {
                case .began(let match, let date): id = try await store.add(match, by: operation, at: date).id
                case .heard(let seconds): if let id { try await store.setHeard(seconds, of: id) }
                }
            }
        }
    }

    /// Follows what a live session says.
    func take(_ event: SessionEvent, at now: Date) {
        hearing.withLock { hearing in
            switch event {
            case .matched(let match, let changes):
                guard let reference = match.references.first else { return }
                if hearing?.id == reference.id, hearing?.isHeard == true { return }
                // What fits was heard before it was found.
                let fit = (reference.queryRange.upperBound - reference.queryRange.lowerBound).seconds
                let since = now.addingTimeInterval(-fit)
                if hearing?.id == reference.id, changes.contains(.returned) {
                    hearing?.isHeard = true
                    hearing?.since = now
                    return
                }
                end(&hearing, at: since)
                hearing = Hearing(id: reference.id, since: since)
                let item = match.mediaItems.first { $0.match.id == reference.id }
                let position = item?.predictedCurrentMatchOffset ?? reference.offset
                let placement = MusicMatch.Placement(reference.id, reference.best)
                let items = item.map { [$0.item] } ?? reference.items
                let music = MusicMatch(items, placement, position, of: reference.referenceDuration)
                steps.yield(.began(music, now))
            case .lost(let match):
                guard let id = hearing?.id, match.references.contains(where: { $0.id == id }) else { return }
                end(&hearing, at: now.addingTimeInterval(-Self.patience))
            case .notMatched, .failed: return
            }
        }
    }

    private func end(_ hearing: inout Hearing?, at date: Date) {
        guard var last = hearing, last.isHeard else { return }
        last.isHeard = false
        last.earlier += max(0, date.timeIntervalSince(last.since))
        steps.yield(.heard(last.earlier))
        hearing = last
    }

    /// Ends what is still heard, and waits until all of it is kept.
    func finish(at now: Date = Date()) async throws {
        hearing.withLock { end(&$0, at: now) }
        steps.finish()
        try await task.value
    }
}

extension HistoryKeeper {
    /// By what a clip of `earshot identify` is recognised; nothing for files, which add no entries.
    static func operation(of clip: String) -> HistoryEntry.Operation? {
        if clip == "-" { return .streamPCM }
        return clip.lowercased().hasSuffix(".earsig") ? .fingerprint : nil
    }

    /// Adds what a clip is.
    ///
    /// - Parameters:
    ///   - play: What it is; nothing when it is not known.
    ///   - clip: The clip.
    ///   - date: When it began.
    static func add(_ play: Play?, of clip: String, at date: Date) async throws {
        guard let play, let operation = operation(of: clip) else { return }
        let match = MusicMatch(play.items, .init(play), play.offset, of: play.referenceDuration)
        try await HistoryDatabase.store().add(match, by: operation, at: date)
    }
}

extension MusicMatch {
    /// What media items say of something that was recognised.
    fileprivate init(_ items: [MediaItem], _ placement: Placement, _ position: MediaTime, of duration: MediaTime) {
        self.init()
        let item = items.first
        trackTitle = item?.title
        artist = item?.artist
        albumTitle = item?.album
        trackID = item?.serviceID.map { EntityID($0) }
        trackIdentifiers = item?.isrc.flatMap { CatalogueIdentifier(.isrc, $0) }.map { [$0.description] }
        trackDuration = duration.isNumeric ? duration.seconds : nil
        songPosition = position.isNumeric ? Int((position.seconds * 1_000).rounded()) : nil
        self.placement = placement
    }
}

extension MusicMatch.Placement {
    fileprivate init(_ id: ReferenceID, _ place: ReferenceMatch.Occurrence) {
        self.init(
            reference: id.rawValue,
            confidence: place.confidence,
            offset: place.offset.seconds,
            query: place.queryRange.lowerBound.seconds..<place.queryRange.upperBound.seconds,
            span: place.referenceRange.lowerBound.seconds..<place.referenceRange.upperBound.seconds,
            speedSkew: place.speedSkew,
            pitchSkew: place.pitchSkew
        )
    }

    fileprivate init(_ play: Play) {
        self.init(
            reference: play.id.rawValue,
            confidence: play.confidence,
            offset: play.offset.seconds,
            query: play.recordingRange.lowerBound.seconds..<play.recordingRange.upperBound.seconds,
            span: play.referenceRange.lowerBound.seconds..<play.referenceRange.upperBound.seconds,
            speedSkew: play.speedSkew,
            pitchSkew: play.pitchSkew
        )
    }
}
