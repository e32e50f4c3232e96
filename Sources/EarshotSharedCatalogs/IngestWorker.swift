package import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
import EarshotSignatures

/// Makes references of the files that were entered for a shared catalog, at the same time as the workers of other nodes.
///
/// It takes a few files at a time, and prolongs their leases. References wait until there are enough for a segment, which is put into the
/// bucket once and committed together with the end of its files: the worker may die at any moment, and each file becomes one reference.
package struct IngestWorker: Sendable {
    /// The limits of a segment: it is written as soon as it reaches one of them.
    package struct Limits: Sendable {
        /// References in it.
        package var count = 512
        /// Bytes, about.
        package var size = 64e6
        /// The time since its first reference was made, in seconds. So much work is lost when the worker dies.
        package var seconds = 120.0

        package init() {}
    }

    /// The steps of a worker.
    package enum Event: Sendable {
        /// A file was read. Its audio is so long.
        case read(IngestFile, audio: MediaTime)
        /// A file cannot become a reference.
        case failed(FailedFile)
        /// References that were read are in the catalog, or given up: others made them, or they have failed.
        case settled(count: Int)
        /// Nothing is left but files that other nodes hold.
        case waitingForOthers(count: Int)
        /// The database or the bucket is away, and is tried again.
        case waiting(EarshotError)
    }

    package let node: NodeID
    package var limits = Limits()
    /// Files that are read at the same time.
    package var jobs = 1
    /// The time for which a lease lasts unless it is prolonged, in seconds.
    package var leaseSeconds = 15.0
    /// The time for which the worker waits for a database or a bucket that is away, in seconds.
    package var patience = 300.0
    private let catalog: SharedCatalog
    private let store: any IngestStore
    private let clock: MediaClock
    private let read: @Sendable (IngestFile) async throws(EarshotError) -> Catalog.Addition
    private let observe: @Sendable (Event) -> Void

    /// A worker.
    ///
    /// - Parameters:
    ///   - name: The catalog.
    ///   - store: The files, and the manifest of the catalog.
    ///   - cache: The bucket, and a folder for segments that are being written.
    ///   - node: The name under which files are held.
    ///   - read: Makes the reference of a file. An error whose cause is a ``MissingFile/folder(_:)`` ends the worker, and the file does not
    ///     fail.
    ///   - observe: Told of each step, on any thread.
    /// - Throws: `catalogAddressInvalid` if there is no such catalog, `storeUnavailable`.
    package init(
        _ name: String,
        store: any IngestStore,
        cache: SegmentCache,
        node: NodeID = .random(),
        clock: MediaClock = .system,
        read: @escaping @Sendable (IngestFile) async throws(EarshotError) -> Catalog.Addition,
        observe: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(EarshotError) {
        catalog = try await SharedCatalog(name, manifests: store, cache: cache, clock: clock)
        (self.store, self.node, self.clock) = (store, node, clock)
        (self.read, self.observe) = (read, observe)
    }

    /// Works until no file is left, neither waiting nor held by another node. What a canceled worker has read becomes references, and the
    /// other files that it holds are put back.
    ///
    /// - Throws: `assetNotFound` if the folder of a file is not on this machine, so that a disk which is not mounted fails no files;
    ///   `storeUnavailable` if the database or the bucket is away for longer than the patience; `writeFailed`, `catalogInvalid`,
    ///   `cancelled`.
    package func run() async throws(EarshotError) {
        let timer = LeaseTimer(seconds: leaseSeconds, clock: clock)
        let (result, _) = await timer.run(
            since: clock.now.seconds,
            prolong: { () throws(EarshotError) in
                // Always `true`: the work goes on while the database is away, since the commit refuses files that the node no longer holds.
                _ = try? await store.prolong(in: catalog.name, for: node, seconds: leaseSeconds)
                return true
            },
            { () throws(EarshotError) in try await work().get() }
        )
        // A canceled task would not reach the store.
        await Task { try? await store.release(in: catalog.name, for: node) }.value
        try result.get()
    }

    // MARK: - Work

    /// A step that has ended.
    private enum Step: Sendable {
        case read(IngestFile, Result<Catalog.Addition, EarshotError>)
        case stored(Result<Void, EarshotError>)
    }

    private func work() async -> Result<Void, EarshotError> {
        await withTaskGroup(of: Step.self) { group in
            var state = IngestState()
            do throws(EarshotError) {
                while true {
                    try await begin(&state, &group)
                    if state.isIdle {
                        let left = try await progress().left
                        guard left > 0 else { return .success(()) }
                        observe(.waitingForOthers(count: left))
                        // Others work on what is left. If one of them dies, its files are free when their leases end.
                        try await pause(1)
                        state.isDry = false
                    } else if let step = await group.next() {
                        try await take(step, &state)
                    }
                }
            } catch {
                group.cancelAll()
                return .failure(await end(&state, &group, error))
            }
        }
    }

    /// Claims files if too few wait, and starts all reads and the segment that are due.
    private func begin(_ state: inout IngestState, _ group: inout TaskGroup<Step>) async throws(EarshotError) {
        try checkCancellation()
        if let count = state.wanted(jobs: jobs, at: clock.now.seconds) {
            let files = try await persistently { () throws(EarshotError) in
                try await store.claim(count, in: catalog.name, for: node, seconds: leaseSeconds)
            }
            state.add(files, of: count)
        }
        while let file = state.next(jobs: jobs, limits, at: clock.now.seconds) {
            group.addTask {
                do throws(EarshotError) { return .read(file, .success(try await read(file))) } catch {
                    return .read(file, .failure(error))
                }
            }
        }
        if let additions = state.nextSegment(limits, at: clock.now.seconds) {
            // Not a child task: a worker that is canceled still stores what was read.
            let task = Task { () -> Result<Void, EarshotError> in
                await result { () throws(EarshotError) in try await add(additions) }
            }
            group.addTask { .stored(await task.value) }
        }
    }

    private func take(_ step: Step, _ state: inout IngestState) async throws(EarshotError) {
        switch step {
        case .stored(let result):
            try result.get()
            state.stored()
        case .read(let file, .success(let addition)):
            observe(.read(file, audio: addition.signature.duration))
            state.read(addition, at: clock.now.seconds)
        case .read(let file, .failure(let error)):
            try checkCancellation()
            guard !MissingFile.isFolder(error) else { throw error }
            state.failed(file)
            try await fail(file.id, path: file.path, error)
        }
    }

    /// Waits for the running steps, and stores what was read if the database and the bucket can be reached.
    ///
    /// - Returns: The error with which the worker ends: `error`, or that of storing.
    private func end(
        _ state: inout IngestState,
        _ group: inout TaskGroup<Step>,
        _ error: EarshotError
    ) async -> EarshotError {
        for await step in group {
            switch step {
            case .read(_, .success(let addition)): state.read(addition, at: clock.now.seconds)
            case .read(_, .failure): break
            case .stored(.success): break
            // Without a database or a bucket the rest cannot be kept either.
            case .stored(.failure(let error)): return error
            }
        }
        guard error.code == .cancelled || MissingFile.isFolder(error), !state.batch.isEmpty else { return error }
        let additions = state.batch.take()
        let rest = await Task { await result { () throws(EarshotError) in try await add(additions) } }.value
        if case .failure(let failure) = rest { return failure }
        return error
    }

    // MARK: - Steps

    /// Brings references into the catalog, except those whose files this node does not hold any more.
    private func add(_ additions: [Catalog.Addition]) async throws(EarshotError) {
        defer { observe(.settled(count: additions.count)) }
        var rest = additions
        // Each failed attempt has lost at least one file to another node, so there are at most as many as files, and one more.
        for _ in 0...additions.count where !rest.isEmpty {
            let prepared = try await persistently { [rest] () throws(EarshotError) in try await catalog.prepare(rest) }
            for (id, error) in prepared.failures { try await fail(id, path: id.rawValue, error) }
            guard let segment = prepared.segment else { return }
            defer { segment.remove() }
            // If the answer to a commit gets lost, the next attempt finds that the files are not held: they are references.
            let isKept = try await persistently { () throws(EarshotError) in
                try await catalog.commit(segment, heldBy: node)
            }
            if isKept { return }
            let held = try await persistently { () throws(EarshotError) in
                try await store.prolong(in: catalog.name, for: node, seconds: leaseSeconds)
            }
            rest.removeAll { !held.contains($0.id) }
        }
        guard rest.isEmpty else {
            throw EarshotError(
                .storeUnavailable,
                "The catalog \(catalog.name) is being changed by others: run the command again."
            )
        }
    }

    private func fail(_ id: ReferenceID, path: String, _ error: EarshotError) async throws(EarshotError) {
        let failure = Job.Failure(code: error.code.rawValue, message: error.message)
        try await persistently { () throws(EarshotError) in
            try await store.fail(id, in: catalog.name, for: node, failure)
        }
        observe(.failed(FailedFile(path: path, failure: failure)))
    }

    private func progress() async throws(EarshotError) -> IngestProgress {
        try await persistently { () throws(EarshotError) in try await store.progress(of: catalog.name) }
    }

    /// Repeats a step while it throws `storeUnavailable`, with growing pauses, for at most ``patience``.
    private func persistently<Value: Sendable>(
        _ body: () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let begin = clock.now.seconds
        var seconds = 0.5
        while true {
            do throws(EarshotError) {
                return try await body()
            } catch {
                guard error.code == .storeUnavailable, clock.now.seconds - begin < patience else { throw error }
                observe(.waiting(error))
            }
            try await pause(seconds)
            seconds = min(seconds * 2, 15)
        }
    }

    private func pause(_ seconds: Double) async throws(EarshotError) {
        let next = MediaTime(seconds: clock.now.seconds + seconds, preferredTimescale: 1_000_000_000)
        do {
            try await clock.sleep(until: next)
        } catch {
            throw Self.cancelled
        }
    }

    private func result<Value>(_ body: () async throws(EarshotError) -> Value) async -> Result<Value, EarshotError> {
        do throws(EarshotError) { return .success(try await body()) } catch { return .failure(error) }
    }

    private func checkCancellation() throws(EarshotError) {
        guard !Task.isCancelled else { throw Self.cancelled }
    }

    private static var cancelled: EarshotError {
        EarshotError(
            .cancelled,
            "The work was interrupted. What is done is in the catalog: run the same command to resume."
        )
    }
}
