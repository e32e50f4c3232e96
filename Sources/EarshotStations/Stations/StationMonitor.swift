public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
public import Foundation
import Synchronization

/// Monitors many stations at once and writes their plays to a log.
///
/// ```swift
/// let monitor = StationMonitor(store: store, states: try FileStationStateStore(folder: folder))
/// try await monitor.add(Station(channel: "one", catalog: catalog) { try await LiveSource(url) })
/// for await event in monitor.events() { show(event) }
/// ```
///
/// A failed station is reopened, and the others continue. Records are written in batches, at most once a second by
/// default. Records that cannot be written wait. A restarted monitor continues the plays of the last run.
public final class StationMonitor: Sendable {
    /// Settings of a monitor.
    public struct Options: Hashable, Sendable {
        /// The interval between two saves of a station's state, in seconds.
        public var snapshotInterval = 5.0
        /// The interval between two writes to the log, in seconds.
        public var writeInterval = 1.0
        /// The largest number of records that wait for the log.
        public var capacity = 100_000

        /// Creates the default options.
        public init() {}
    }

    private struct State {
        var stations: [EntityID<BroadcastChannel>: (runner: StationRunner, task: Task<Void, Never>)] = [:]
        var readers: [Int: (continuation: AsyncStream<StationEvent>.Continuation, wantsLevels: Bool)] = [:]
        var readerCount = 0
        var writer: Task<Void, Never>?
        var isStopped = false
    }

    private let store: any PlaylogStore
    private let options: Options
    private let outbox: PlaylogWriteQueue
    private let state: Mutex<State>
    private let surroundings: Mutex<StationRunner.Surroundings?>
    private let clock: MediaClock
    /// `true` while a write runs, so that writes do not overlap.
    private let isWriting = Mutex(false)

    /// Creates a monitor without stations.
    ///
    /// - Parameters:
    ///   - store: The log.
    ///   - states: The store of the stations' states between runs; `nil` to keep none.
    ///   - options: The settings.
    ///   - clock: The clock for pauses and for the arrival of audio.
    ///   - now: The wall clock.
    ///   - random: Returns numbers from 0 to 1, so that stations of one server do not reconnect at the same moment.
    public init(
        store: any PlaylogStore,
        states: (any StationStateStore)? = nil,
        options: Options = .init(),
        clock: MediaClock = .system,
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.store = store
        self.options = options
        self.clock = clock
        outbox = PlaylogWriteQueue(capacity: options.capacity)
        state = Mutex(State())
        surroundings = Mutex(nil)
        let shared = StationRunner.Surroundings(
            clock: clock,
            now: now,
            random: random,
            snapshotInterval: options.snapshotInterval,
            states: states,
            outbox: outbox,
            tell: { [weak self] content, id in self?.tell(content, id) },
            flush: { [weak self] runner in _ = await self?.write([runner], isForced: false) }
        )
        surroundings.withLock { $0 = shared }
    }

    deinit {
        let (tasks, readers) = state.withLock { state in
            (state.stations.values.map(\.task) + [state.writer].compactMap(\.self), Array(state.readers.values))
        }
        for task in tasks { task.cancel() }
        for reader in readers { reader.continuation.finish() }
    }

    // MARK: - Stations

    /// Starts monitoring a station, with its state from the last run.
    ///
    /// - Throws: `storeUnavailable` and other errors of the log if the station's open plays cannot be read;
    ///   `configurationInvalid` if the station is already monitored, or the monitor was stopped.
    public func add(_ station: Station) async throws(EarshotError) {
        let id = station.channel.id
        try check(id)
        let open = try await store.openRecords(of: id)
        guard let shared = surroundings.withLock({ $0 }) else { return }
        let runner = StationRunner(station, shared)
        let isNew = state.withLock { state in
            guard !state.isStopped, state.stations[id] == nil else { return false }
            state.stations[id] = (runner, Task { await runner.follow(open: open) })
            if state.writer == nil { state.writer = writer() }
            return true
        }
        if !isNew { try check(id) }
    }

    private func check(_ id: EntityID<BroadcastChannel>) throws(EarshotError) {
        let (isStopped, isKnown) = state.withLock { ($0.isStopped, $0.stations[id] != nil) }
        guard !isStopped, !isKnown else {
            throw EarshotError(
                .configurationInvalid,
                isStopped
                    ? "The monitor was stopped: make another one for \(id)."
                    : "The station \(id) is followed already: remove it first."
            )
        }
    }

    /// Stops monitoring a station.
    ///
    /// - Parameters:
    ///   - id: The station's channel.
    ///   - finish: `true` to end its plays. Otherwise they stay provisional, and continue if the station is added again
    ///     in time.
    /// - Throws: `entityNotFound` if the station is not monitored; the errors of the log if it cannot be written.
    public func remove(_ id: EntityID<BroadcastChannel>, finish: Bool = true) async throws(EarshotError) {
        let removed = state.withLock { $0.stations.removeValue(forKey: id) }
        guard let removed else { throw unknown(id) }
        try await close([removed], finish: finish)
    }

    /// Replaces the catalog of stations, for the audio from now on.
    ///
    /// - Parameters:
    ///   - catalog: The new catalog.
    ///   - id: The station's channel; `nil` for all stations.
    /// - Throws: `catalogInvalid` if it is damaged; the station then keeps its old one. `entityNotFound` if the station
    ///   is not monitored.
    public func replace(_ catalog: Catalog, of id: EntityID<BroadcastChannel>? = nil) async throws(EarshotError) {
        let runners = state.withLock { state in
            state.stations.filter { id == nil || $0.key == id }.map(\.value.runner)
        }
        if let id, runners.isEmpty { throw unknown(id) }
        for runner in runners { try await runner.replace(catalog) }
    }

    /// The monitored stations, in order of their identifiers.
    public var stations: [PlayChannel] {
        state.withLock { state in state.stations.values.map(\.runner.station.channel) }.sorted { $0.id < $1.id }
    }

    /// Returns the statistics of a station; `nil` if it is not monitored.
    public func statistics(of id: EntityID<BroadcastChannel>) -> StationStatistics? {
        state.withLock { $0.stations[id]?.runner }?.statistics
    }

    /// Waits until every station that is monitored now has ended. If one of them is not finite, it returns only after
    /// ``stop(finish:)``.
    ///
    /// - Returns: The errors that ended stations.
    public func untilOver() async -> [EntityID<BroadcastChannel>: EarshotError] {
        let stations = state.withLock { $0.stations }
        for station in stations.values { await station.task.value }
        return stations.compactMapValues(\.runner.failure)
    }

    /// Stops monitoring for good.
    ///
    /// - Parameter finish: `true` to end plays with the reason `monitorStopped`. Otherwise they stay provisional, and a
    ///   monitor that is started in time continues them.
    /// - Throws: The errors of the log if the last records cannot be written.
    public func stop(finish: Bool = false) async throws(EarshotError) {
        let (stations, writer) = state.withLock { state in
            defer { (state.stations, state.writer, state.isStopped) = ([:], nil, true) }
            return (Array(state.stations.values), state.writer)
        }
        writer?.cancel()
        await writer?.value
        defer {
            // Finishing a reader removes it from the list, so a copy is used.
            let readers = state.withLock { Array($0.readers.values) }
            for reader in readers { reader.continuation.finish() }
        }
        try await close(stations, finish: finish)
    }

    private func close(
        _ stations: [(runner: StationRunner, task: Task<Void, Never>)],
        finish: Bool
    ) async throws(EarshotError) {
        for station in stations { station.task.cancel() }
        for station in stations { await station.task.value }
        for station in stations where finish && !station.runner.isOver { await station.runner.end(.monitorStopped) }
        if let failure = await write(stations.map(\.runner), isForced: true) { throw failure }
    }

    private func unknown(_ id: EntityID<BroadcastChannel>) -> EarshotError {
        EarshotError(.entityNotFound, "No station \(id) is followed: check its name.")
    }

    // MARK: - Events

    /// Returns the events from now on. A slow reader misses the oldest events, which may include the end of a station.
    ///
    /// - Parameter levels: `true` to include levels, one a second and station.
    public func events(levels: Bool = true) -> AsyncStream<StationEvent> {
        let (stream, continuation) = AsyncStream<StationEvent>.makeStream(bufferingPolicy: .bufferingNewest(4_096))
        let number = state.withLock { state -> Int? in
            guard !state.isStopped else { return nil }
            state.readerCount += 1
            state.readers[state.readerCount] = (continuation, levels)
            return state.readerCount
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    private func tell(_ content: StationEvent.Content, _ id: EntityID<BroadcastChannel>? = nil) {
        var isLevel = false
        if case .level = content { isLevel = true }
        let readers = state.withLock { $0.readers.values.filter { $0.wantsLevels || !isLevel } }
        for reader in readers { reader.continuation.yield(StationEvent(channel: id, content: content)) }
    }

    // MARK: - Writing

    private func writer() -> Task<Void, Never> {
        let (clock, interval) = (clock, MediaTime(seconds: options.writeInterval, preferredTimescale: 1_000))
        return Task { [weak self] in
            while !Task.isCancelled {
                do { try await clock.sleep(until: clock.now + interval) } catch { return }
                guard let self else { return }
                let runners = self.state.withLock { $0.stations.values.map(\.runner) }
                _ = await self.write(runners, isForced: false)
            }
        }
    }

    /// Writes the waiting records, and then the states of stations, so that no saved state is ahead of the log.
    private func write(_ runners: [StationRunner], isForced: Bool) async -> EarshotError? {
        while !isWriting.withLock({ isWriting in
            defer { isWriting = true }
            return !isWriting
        }) { await Task.yield() }
        defer { isWriting.withLock { $0 = false } }
        let snapshots = await withTaskGroup(of: (StationRunner, Data)?.self) { group in
            for runner in runners {
                group.addTask { await runner.tick(isForced: isForced).map { (runner, $0) } }
            }
            return await group.reduce(into: [(StationRunner, Data)]()) { list, one in if let one { list.append(one) } }
        }
        let dropped = outbox.takeDropped()
        if dropped > 0 { tell(.recordsLost(dropped)) }
        let batch = outbox.take()
        do throws(EarshotError) {
            try await write(batch)
            var heard: [DetectedInterval] = []
            for runner in runners { heard += [await runner.heard(isForced: isForced)].compactMap(\.self) }
            if !heard.isEmpty { try await store.note(heard) }
        } catch {
            outbox.putBack(batch)
            tell(.writeFailed(error, waiting: outbox.count))
            return error
        }
        let failure = try? await BlockingWork.run { () throws(EarshotError) -> EarshotError? in
            var failure: EarshotError?
            for (runner, snapshot) in snapshots {
                do throws(EarshotError) { try runner.keep(snapshot) } catch { failure = error }
            }
            return failure
        }
        if let failure = failure ?? nil { tell(.writeFailed(failure, waiting: 0)) }
        return nil
    }

    private func write(_ batch: PlaylogWriteQueue.Batch) async throws(EarshotError) {
        if !batch.withdrawals.isEmpty { try await store.withdraw(batch.withdrawals) }
        if !batch.gaps.isEmpty { try await store.put(batch.gaps) }
        guard !batch.records.isEmpty else { return }
        for outcome in try await store.put(batch.records) {
            guard case .refused(let why) = outcome.result else { continue }
            tell(.failed(EarshotError(.metadataInvalid, "A play cannot be kept in the log: \(why)")))
        }
    }
}
