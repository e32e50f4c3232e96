import CommandKit
import Earshot
import Foundation
import Synchronization

/// Runs a session over a source and reports what it says.
final class Listener: Sendable {
    private struct State {
        var hasMatched = false
        var isInterrupted = false
        var task: Task<Void, any Error>?
    }

    private let catalog: Catalog
    private let follower: TimedContentScheduler
    private let repeats: RepeatFilter
    private let report: ListenReport
    private let limit: MediaTime?
    private let isOnce: Bool
    private let history: HistoryRecorder?
    private let state = Mutex(State())

    init(
        catalog: Catalog,
        follower: TimedContentScheduler,
        repeats: RepeatFilter,
        report: ListenReport,
        limit: MediaTime?,
        isOnce: Bool,
        history: HistoryRecorder? = nil
    ) {
        self.catalog = catalog
        self.follower = follower
        self.repeats = repeats
        self.report = report
        self.limit = limit
        self.isOnce = isOnce
        self.history = history
    }

    /// `true` if anything was recognized.
    var hasMatched: Bool { state.withLock { $0.hasMatched } }

    /// Ends listening.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.task?.cancel()
        }
    }

    /// Listens to a source that delivers at its own pace.
    func listen<Source: AudioSource>(to source: Source, events: AsyncStream<CaptureEvent>?) async throws {
        let task = Task { [self] in
            let session = MatchSession(catalog: catalog, options: .init(repeats: repeats))
            let teller = events.map { events in
                Task { for await event in events { report.capture(event) } }
            }
            defer {
                teller?.cancel()
                report.end()
            }
            let deadline = limit.map { MediaClock.system.now + $0 }
            for try await event in session.liveEvents(from: source, content: follower) {
                if let deadline, MediaClock.system.now >= deadline { return }
                switch event {
                case .session(let event): if take(event, at: nil) { return }
                case .content(let change): report.content(change, at: nil)
                case .level(let peak, let time): report.level(peak, until: time)
                }
            }
        }
        try await wait(for: task)
    }

    /// Goes through a file as fast as it can be read. The clock is that of its sound.
    func race(through reader: AssetReader) async throws {
        let task = Task { [self] in
            let time = Mutex(MediaTime.zero)
            let clock = MediaClock(read: { time.withLock { $0 } }, wait: { _ in })
            let session = MatchSession(catalog: catalog, options: .init(repeats: repeats, clock: clock))
            var follower = follower
            defer { report.end() }
            for try await block in PacedSource(reader, speed: nil) {
                time.withLock { $0 = block.endTime }
                for event in await session.events(in: block.buffer, at: block.time) {
                    let ends = take(event, at: block.endTime)
                    for change in follower.take(event, now: clock.now) { report.content(change, at: block.endTime) }
                    if ends { return }
                }
                for change in follower.advance(to: clock.now) { report.content(change, at: block.endTime) }
                if let limit, block.endTime >= limit { return }
            }
        }
        try await wait(for: task)
    }

    private func wait(for task: Task<Void, any Error>) async throws {
        let isInterrupted = state.withLock { state in
            state.task = task
            return state.isInterrupted
        }
        if isInterrupted { task.cancel() }
        do {
            try await task.value
        } catch let error where state.withLock({ $0.isInterrupted }) {
            // What a canceled source throws is what was asked for.
            _ = error
        }
    }

    /// Reports an event of the session.
    ///
    /// - Returns: `true` if it was the last that is wanted.
    private func take(_ event: SessionEvent, at time: MediaTime?) -> Bool {
        report.session(event, at: time)
        history?.take(event, at: Date())
        guard case .matched = event else { return false }
        state.withLock { $0.hasMatched = true }
        return isOnce
    }
}
