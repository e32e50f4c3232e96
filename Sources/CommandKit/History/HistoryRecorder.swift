#if Library
    package import Earshot
    import EarshotCatalogs
    import EarshotMusic
    package import EarshotRecognition
    import EarshotSQLite
    package import Foundation
    import Synchronization

    /// Adds what is heard to the user's history: an entry when something begins to be heard, and how long it was heard when it
    /// no longer is.
    package final class HistoryRecorder: Sendable {
        private enum Step: Sendable {
            case began(ReferenceID, MusicMatch, Date)
            case heard(ReferenceID, Double)
        }

        /// A reference that is heard, or was heard before.
        private struct Detection {
            var isHeard = true
            var since: Date
            /// The time for which it was heard before that, in seconds.
            var earlier = 0.0
        }

        /// The time for which a session goes on after it heard something last, in seconds, before it says that it is lost.
        private static let patience = 4.0

        private let steps: AsyncStream<Step>.Continuation
        private let task: Task<Void, any Error>
        private let detections = Mutex<[ReferenceID: Detection]>([:])

        /// - Parameters:
        ///   - isMicrophone: Whether a microphone is listened to, and not samples or a stream.
        ///   - store: The history.
        package init(isMicrophone: Bool, store: any HistoryStore = HistoryDatabase.store()) {
            let operation: HistoryEntry.Operation = isMicrophone ? .streamMicrophone : .streamPCM
            let (stream, steps) = AsyncStream.makeStream(of: Step.self)
            self.steps = steps
            // One after the other, beside the listening.
            task = Task {
                var entries: [ReferenceID: Int] = [:]
                for await step in stream {
                    switch step {
                    case .began(let id, let match, let date):
                        entries[id] = try await store.add(match, by: operation, at: date).id
                    case .heard(let id, let seconds):
                        if let entry = entries[id] { try await store.setHeard(seconds, of: entry) }
                    }
                }
            }
        }

        /// Follows what a live session says.
        package func take(_ event: SessionEvent, at now: Date) {
            detections.withLock { detections in
                switch event {
                case .matched(let match, let changes):
                    // Of references that are heard at once the best one counts; two that take turns at it are two entries.
                    guard let reference = match.references.first, detections[reference.id]?.isHeard != true else {
                        return
                    }
                    if changes.contains(.returned), detections[reference.id] != nil {
                        detections[reference.id]?.isHeard = true
                        detections[reference.id]?.since = now
                        return
                    }
                    // What fits was heard before it was found.
                    let fit = (reference.queryRange.upperBound - reference.queryRange.lowerBound).seconds
                    detections[reference.id] = Detection(since: now.addingTimeInterval(-fit))
                    let item = match.mediaItems.first { $0.match.id == reference.id }
                    let position = item?.predictedCurrentMatchOffset ?? reference.offset
                    let placement = ReferencePlacement(reference: reference.id, placement: reference.best)
                    let items = item.map { [$0.item] } ?? []
                    let music = MusicMatch(items, placement, position, of: reference.referenceDuration)
                    steps.yield(.began(reference.id, music, now))
                case .lost(let match):
                    let end = now.addingTimeInterval(-Self.patience)
                    for reference in match.references { self.end(reference.id, &detections, at: end) }
                case .notMatched, .failed: return
                }
            }
        }

        private func end(_ id: ReferenceID, _ detections: inout [ReferenceID: Detection], at date: Date) {
            guard var hearing = detections[id], hearing.isHeard else { return }
            hearing.isHeard = false
            hearing.earlier += max(0, date.timeIntervalSince(hearing.since))
            steps.yield(.heard(id, hearing.earlier))
            detections[id] = hearing
        }

        /// Ends what is still heard, and waits until all of it is kept.
        package func finish(at now: Date = Date()) async throws {
            detections.withLock { detections in
                for id in Array(detections.keys) { end(id, &detections, at: now) }
            }
            steps.finish()
            try await task.value
        }
    }

    extension HistoryRecorder {
        /// By what a clip of `earshot identify` is recognized; nothing for files, which add no entries.
        package static func operation(of clip: String) -> HistoryEntry.Operation? {
            if clip == "-" { return .streamPCM }
            return clip.lowercased().hasSuffix(".earsig") ? .fingerprint : nil
        }

        /// Adds what a clip is.
        ///
        /// - Parameters:
        ///   - play: What it is; nothing when it is not known.
        ///   - clip: The clip.
        ///   - date: When it began.
        package static func add(_ play: Play?, of clip: String, at date: Date) async throws {
            guard let play, let operation = operation(of: clip) else { return }
            let match = MusicMatch(
                play.items,
                ReferencePlacement(reference: play.id, placement: play.placement),
                play.offset,
                of: play.referenceDuration
            )
            try await HistoryDatabase.store().add(match, by: operation, at: date)
        }
    }

    extension MusicMatch {
        /// Creates the match of what was recognized, from its media items.
        fileprivate init(
            _ items: [MediaItem],
            _ placement: ReferencePlacement,
            _ position: MediaTime,
            of duration: MediaTime
        ) {
            self.init()
            let item = items.first
            track.title = item?.title
            artist.name = item?.artist
            album.title = item?.album
            track.id = item?.serviceID.map { EntityID($0) }
            track.identifiers = item?.isrc.flatMap { MusicIdentifier(.isrc, $0) }.map { [$0.description] }
            track.duration = duration.isNumeric ? duration : nil
            songPosition = position.isNumeric ? position.converted(toTimescale: 1_000) : nil
            self.placement = placement
        }
    }
#endif
