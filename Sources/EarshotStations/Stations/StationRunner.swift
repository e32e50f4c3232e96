import Dispatch
import EarshotBroadcast
import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization

/// One station of a monitor: reads its source and processes it on its own queue.
final class StationRunner: Sendable {
    /// The dependencies that the stations of a monitor share.
    struct Surroundings: Sendable {
        let clock: MediaClock
        let now: @Sendable () -> Date
        let random: @Sendable () -> Double
        let snapshotInterval: Double
        let states: (any StationStateStore)?
        let outbox: PlaylogWriteQueue
        let tell: @Sendable (StationEvent.Content, EntityID<BroadcastChannel>) -> Void
        /// Writes the waiting records to the log now.
        let flush: @Sendable (StationRunner) async -> Void

        var instant: StationInstant { StationInstant(date: now(), uptime: clock.now) }
    }

    /// The duration of audio after which a connection counts as good, in seconds.
    private static let goodStretch = 10.0
    /// The pauses between attempts to open a source.
    static let backoff = Backoff(cap: MediaTime(value: 60, timescale: 1), jitter: 0.8...1)

    private struct State {
        var tracker: StationTracker?
        var catalog: Catalog
        var kind: AudioKind?
        var snapshotAt: MediaTime?
        var isOver = false
        /// The error that ended the station; `nil` if none did.
        var failure: EarshotError?
        var heard = DetectedIntervalTracker()
    }

    let station: Station
    private let surroundings: Surroundings
    /// A serial queue on the system's worker threads. Stations take turns, one block at a time.
    private let queue: DispatchQueue
    private let state: Mutex<State>
    private let figures = Mutex(StationStatistics())
    private let silence = Mutex(SilenceDetector())
    /// `true` once the station has ended and its saved state was removed. Guards saving, so that no later save restores
    /// it.
    private let hasEnded = Mutex(false)

    init(_ station: Station, _ surroundings: Surroundings) {
        self.station = station
        self.surroundings = surroundings
        queue = DispatchQueue(label: "earshot.station", target: .global(qos: .utility))
        state = Mutex(State(catalog: station.catalog))
    }

    var statistics: StationStatistics {
        var statistics = figures.withLock { $0 }
        statistics.isLive = silence.withLock { $0.isLive }
        return statistics
    }

    /// `true` if the station has ended for good.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The error that ended the station; `nil` if none did.
    var failure: EarshotError? { state.withLock { $0.failure } }

    private var id: EntityID<BroadcastChannel> { station.channel.id }
    private var states: (any StationStateStore)? { station.keepsState ? surroundings.states : nil }

    private func tell(_ content: StationEvent.Content) { surroundings.tell(content, id) }

    /// Runs work on the station's queue, so that it does not block a thread of the task pool.
    private func work<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    // MARK: - Reading

    /// Follows the station until the task is canceled, or a finite source has ended or failed.
    func follow(open: [PlayRecord]) async {
        if let failure = await work({ self.prepare(open) }) {
            state.withLock { ($0.isOver, $0.failure) = (true, failure) }
            return tell(.ended(failure))
        }
        var backoff = Self.backoff
        while !Task.isCancelled {
            tell(.connecting)
            let before = statistics.audio
            let failure = await connection()
            silence.withLock { $0.disconnected() }
            if Task.isCancelled { break }
            if station.isFinite {
                // Opened again it would start anew and be heard twice.
                await end(failure == nil ? .ended : .streamLost, failure)
                break
            }
            if statistics.audio - before >= Self.goodStretch { backoff.reset() }
            await work { self.lose(at: self.surroundings.instant) }
            let delay = backoff.failed(random: 1 - surroundings.random()).seconds
            tell(.lost(failure, retryAfter: delay))
            await surroundings.flush(self)
            let wake = surroundings.clock.now + MediaTime(seconds: delay, preferredTimescale: 1_000)
            try? await surroundings.clock.sleep(until: wake)
            figures.withLock { $0.reconnects += 1 }
        }
    }

    /// Opens the source and reads it to its end.
    ///
    /// - Returns: The error of opening or reading; `nil` at the end of the source.
    private func connection() async -> EarshotError? {
        await withTaskGroup(of: Void.self, returning: EarshotError?.self) { group in
            // A recording has its own dates, so the speed of reading does not matter.
            if !station.isFinite, case .arrival = station.options.dates { group.addTask { await self.watch() } }
            defer { group.cancelAll() }
            do {
                try await read(station.open())
                return nil
            } catch let error as EarshotError {
                return error
            } catch {
                return EarshotError(
                    .readFailed,
                    "The source of the station \(station.channel.name) failed: check that it is on the air.",
                    cause: error
                )
            }
        }
    }

    private func read<Source: AudioSource>(_ source: Source) async throws {
        silence.withLock { $0.waits(at: surroundings.clock.now) }
        for try await block in source {
            try Task.checkCancellation()
            let instant = surroundings.instant
            let isFirst = silence.withLock { $0.received(block.buffer.duration.seconds, at: instant.uptime) }
            if let failure = await work({ self.hear(block, instant, isFirst: isFirst) }) { throw failure }
            silence.withLock { $0.waits(at: surroundings.clock.now) }
        }
    }

    /// Detects a source that is silent for too long. A source that reconnects by itself, or whose connection stays open
    /// without data, does not end.
    private func watch() async {
        let patience = MediaTime(seconds: SilenceDetector.patience, preferredTimescale: 1_000)
        while !Task.isCancelled {
            let now = surroundings.clock.now
            let deadline = silence.withLock { $0.deadline } ?? now + patience
            do { try await surroundings.clock.sleep(until: max(deadline, now)) } catch { return }
            // On the queue, so that audio that arrives meanwhile is processed after the loss.
            let isLost = await work {
                let instant = self.surroundings.instant
                guard let seconds = self.silence.withLock({ $0.check(at: instant.uptime) }) else { return false }
                var last = instant
                last.date -= seconds
                last.uptime = last.uptime - MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
                self.lose(at: last)
                self.tell(.silent(seconds: seconds))
                return true
            }
            if isLost { await surroundings.flush(self) }
        }
    }

    /// Ends every play of the station and removes its saved state.
    ///
    /// - Parameter failure: The error that ended the station; `nil` if it ended by itself.
    func end(_ reason: PlayEndReason, _ failure: EarshotError? = nil) async {
        await work {
            self.update { tracker, instant throws(EarshotError) in try tracker.finish(at: instant, reason: reason) }
            self.state.withLock { ($0.isOver, $0.failure) = (true, failure ?? $0.failure) }
            do throws(EarshotError) {
                try self.hasEnded.withLock { hasEnded throws(EarshotError) in
                    hasEnded = true
                    try self.states?.remove(self.id.rawValue)
                }
            } catch {
                self.tell(.failed(error))
            }
        }
        tell(.ended(failure))
    }

    /// Switches to another catalog.
    ///
    /// - Throws: `catalogInvalid` if it is damaged; the old one is then kept.
    func replace(_ catalog: Catalog) async throws(EarshotError) {
        let failure = await work { () -> EarshotError? in
            self.state.withLock { state -> EarshotError? in
                do throws(EarshotError) {
                    try state.tracker?.replace(catalog)
                    state.catalog = catalog
                    return nil
                } catch {
                    return error
                }
            }
        }
        if let failure { throw failure }
    }

    /// Advances the time of the tracker.
    ///
    /// - Parameter isForced: `true` to return a snapshot even if the last one is recent.
    /// - Returns: A snapshot to save after all records so far are in the log; `nil` if none is due.
    func tick(isForced: Bool = false) async -> Data? {
        await work {
            self.update { tracker, instant throws(EarshotError) in try tracker.tick(at: instant) }
            return self.snapshot(isForced)
        }
    }

    // MARK: - On the queue

    /// Creates the tracker, with the saved state if that can be read.
    ///
    /// - Returns: The error if no tracker can be created.
    private func prepare(_ open: [PlayRecord]) -> EarshotError? {
        var snapshot: StationTracker.Snapshot?
        // The state of an earlier run with other settings must not be found later.
        if !station.keepsState { try? surroundings.states?.remove(id.rawValue) }
        do {
            if let data = try states?.load(id.rawValue) {
                snapshot = try JSONDecoder().decode(StationTracker.Snapshot.self, from: data)
            }
        } catch {
            tell(.failed(damaged(error)))
        }
        var failure: EarshotError?
        for kept in snapshot == nil ? [nil] : [snapshot, nil] {
            if let failure { tell(.failed(failure)) }
            do throws(EarshotError) {
                let catalog = state.withLock { $0.catalog }
                let tracker = try StationTracker(
                    channel: station.channel,
                    catalog: catalog,
                    options: station.options,
                    restoring: kept,
                    open: open
                )
                state.withLock { state in
                    state.tracker = tracker
                    state.tracker?.keepsHeard = !station.taps.isEmpty
                }
                return nil
            } catch {
                failure = error
            }
        }
        return failure
    }

    private func damaged(_ error: any Error) -> EarshotError {
        EarshotError(
            .storeDamaged,
            "The saved state of the station \(station.channel.name) cannot be read: the station starts without it.",
            cause: error
        )
    }

    /// Interrupts the station until audio arrives again.
    ///
    /// - Parameter instant: The time of the last audio, or the time at which its end was noticed.
    private func lose(at instant: StationInstant) {
        update { tracker, _ throws(EarshotError) in try tracker.lost(at: instant) }
    }

    private func hear(_ block: AudioBlock, _ instant: StationInstant, isFirst: Bool) -> EarshotError? {
        if isFirst { tell(.live) }
        let began = Self.processorTime
        var failure: EarshotError?
        state.withLock { state in
            do throws(EarshotError) {
                guard var tracker = state.tracker else { return }
                state.tracker = nil
                defer { state.tracker = tracker }
                deliver(try tracker.append(block, at: instant), &state)
                if tracker.isHeard {
                    state.heard.begin(tracker.date(tracker.time.seconds - block.buffer.duration.seconds))
                }
                guard !station.taps.isEmpty else { return }
                for (buffer, date) in tracker.takeHeard() {
                    for tap in station.taps { tap.hear(buffer, at: date, of: id) }
                }
            } catch {
                failure = error
            }
        }
        let delay = (surroundings.clock.now - instant.uptime).seconds
        figures.withLock { figures in
            figures.audio += block.buffer.duration.seconds
            figures.processor += Self.processorTime - began
            figures.delay = delay
        }
        return failure
    }

    private func update(
        _ body: (inout StationTracker, StationInstant) throws(EarshotError) -> [StationTracker.Output]
    ) {
        state.withLock { state in
            guard var tracker = state.tracker else { return }
            state.tracker = nil
            defer { state.tracker = tracker }
            do throws(EarshotError) {
                deliver(try body(&tracker, surroundings.instant), &state)
            } catch {
                tell(.failed(error))
            }
        }
    }

    private func deliver(_ outputs: [StationTracker.Output], _ state: inout State) {
        guard !outputs.isEmpty else { return }
        surroundings.outbox.add(outputs)
        for output in outputs {
            switch output {
            case .record(let record): for tap in station.taps { tap.note(record, isWithdrawn: false) }
            case .withdrawal(let record): for tap in station.taps { tap.note(record, isWithdrawn: true) }
            case .playStarted(let record): tell(.playStarted(record))
            case .playEnded(let record):
                figures.withLock { $0.plays += 1 }
                tell(.playEnded(record))
            case .streamLost(let gap): figures.withLock { $0.lostSince = gap.start }
            case .streamBack: figures.withLock { $0.lostSince = nil }
            case .level(let level): tell(.level(level))
            case .kind(let kind):
                if state.kind != kind { tell(.kind(kind)) }
                state.kind = kind
            default: break
            }
        }
    }

    private func snapshot(_ isForced: Bool) -> Data? {
        guard states != nil else { return nil }
        let now = surroundings.clock.now
        let snapshot = state.withLock { state -> StationTracker.Snapshot? in
            guard !state.isOver, let tracker = state.tracker else { return nil }
            if !isForced, let last = state.snapshotAt, (now - last).seconds < surroundings.snapshotInterval {
                return nil
            }
            state.snapshotAt = now
            return tracker.snapshot
        }
        return snapshot.flatMap { try? JSONEncoder().encode($0) }
    }

    /// Returns the interval in which this run has received the station; `nil` before its first audio, and if little has
    /// been added since the last call.
    ///
    /// - Parameter isForced: `true` to return it even if little has been added.
    func heard(isForced: Bool) async -> DetectedInterval? {
        await work {
            self.state.withLock { state in
                guard let tracker = state.tracker else { return nil }
                let range = state.heard.stretch(
                    until: tracker.heardUntil,
                    stream: tracker.heardTime,
                    earliest: tracker.date(tracker.time.seconds),
                    isForced: isForced
                )
                return range.map {
                    DetectedInterval(channel: self.station.channel, start: $0.lowerBound, end: $0.upperBound)
                }
            }
        }
    }

    /// Saves a snapshot, unless the station has ended since it was taken. It may block.
    ///
    /// - Throws: `writeFailed`.
    func keep(_ snapshot: Data) throws(EarshotError) {
        try hasEnded.withLock { hasEnded throws(EarshotError) in
            if !hasEnded { try states?.save(snapshot, of: id.rawValue) }
        }
    }

    /// The processor time of the current thread, in seconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
