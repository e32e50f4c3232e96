import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import Foundation
import Logging

/// Analyzes media folders in the background, one run after another, and reports the progress.
///
/// Results are stored as soon as they are there. A run that was canceled is resumed by submitting it again: files that have results
/// are not analyzed again.
actor AnalysisQueue {
    /// The largest number of waiting runs.
    static let waitingLimit = 50
    /// The number of ended runs that are kept.
    static let memory = 100
    /// The largest number of failures that a run lists.
    static let failureLimit = 1_000

    nonisolated let store: any AnalysisStore
    nonisolated let analyzers: [any AudioAnalyzer]
    private let roots: MediaRoots
    private let decoder: any FileDecoder
    private let width: Int
    private let now: @Sendable () -> Date
    private let logger: Logger
    private var runs: [String: (run: AnalysisRun, owner: String)] = [:]
    private var queue: [String] = []
    private var current: (id: String, task: Task<Void, Never>)?
    private var isStopping = false

    /// - Parameters:
    ///   - analyzers: The analyses that are offered.
    ///   - store: Keeps results.
    ///   - roots: The folders of files.
    ///   - decoder: Reads files.
    ///   - width: The number of files that are read at the same time.
    init(
        _ analyzers: [any AudioAnalyzer],
        store: any AnalysisStore,
        roots: MediaRoots,
        decoder: any FileDecoder,
        width: Int,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.analyzers = analyzers
        self.store = store
        self.roots = roots
        self.decoder = decoder
        self.width = width
        self.now = now
        self.logger = logger
    }

    /// The numbers of running and of waiting runs.
    var load: (running: Int, waiting: Int) { (current == nil ? 0 : 1, queue.count) }

    /// Accepts a run.
    ///
    /// - Parameters:
    ///   - folder: The identifier of a folder in a root. The folder must exist.
    ///   - names: The names of the analyses.
    ///   - owner: The owner of the run.
    /// - Throws: `serviceBusy` when too many wait, or the service is stopping.
    func submit(folder: String, analyzers names: [String], owner: String) throws(EarshotError) -> AnalysisRun {
        guard !isStopping, queue.count < Self.waitingLimit else {
            throw EarshotError(.serviceBusy, "\(queue.count) analyses wait already: try again when some are done.")
        }
        let id = Secrets.text(16, from: Array("abcdefghijklmnopqrstuvwxyz234567"))
        let run = AnalysisRun(id: id, folder: folder, analyzers: names, created: now())
        runs[id] = (run, owner)
        queue.append(id)
        next()
        return run
    }

    /// Returns a run of an owner; `nil` if there is none. Without an owner, as for the operator, any run is returned.
    func run(_ id: String, for owner: String?) -> AnalysisRun? {
        guard let entry = runs[id], owner == nil || entry.owner == owner else { return nil }
        return entry.run
    }

    /// Cancels an active run and waits for its end, or deletes an ended one. Results stay.
    func remove(_ id: String) async {
        if let current, current.id == id {
            current.task.cancel()
            return await current.task.value
        }
        if let place = queue.firstIndex(of: id) {
            queue.remove(at: place)
            finish(id, .cancelled)
        } else {
            runs[id] = nil
        }
    }

    /// Cancels the active run.
    func stop() async {
        isStopping = true
        current?.task.cancel()
        await current?.task.value
    }

    // MARK: - Work

    private func next() {
        guard current == nil, !isStopping, !queue.isEmpty else { return }
        let id = queue.removeFirst()
        guard let run = runs[id]?.run else { return next() }
        runs[id]?.run.state = .running
        current = (
            id,
            Task {
                let failure = await self.work(run)
                self.complete(id, failure)
            }
        )
    }

    private func complete(_ id: String, _ failure: EarshotError?) {
        current = nil
        switch failure {
        case nil: finish(id, .done)
        case let error? where error.code == .cancelled: finish(id, .cancelled)
        case let error?:
            runs[id]?.run.error = Failure(error).error
            finish(id, .failed)
        }
        next()
    }

    private func finish(_ id: String, _ state: JobRecord.State) {
        runs[id]?.run.state = state
        runs[id]?.run.finished = now()
        let over = runs.values.map(\.run).filter(\.state.isFinal)
            .sorted { ($0.finished ?? .distantPast, $0.id) > ($1.finished ?? .distantPast, $1.id) }
        for old in over.dropFirst(Self.memory) { runs[old.id] = nil }
    }

    /// Runs an analysis.
    ///
    /// - Returns: The error that ended it early; `nil` if it was completed.
    private func work(_ run: AnalysisRun) async -> EarshotError? {
        let metadata: Logger.Metadata = ["run": "\(run.id)", "folder": "\(run.folder)"]
        logger.info("An analysis begins", metadata: metadata)
        do {
            let roots = roots
            let places = try await BlockingWork.run { () throws(EarshotError) in try roots.files(below: run.folder) }
            try Task.checkCancellation()
            runs[run.id]?.run.total = places.count
            logger.info("An analysis has files", metadata: metadata.merging(["files": "\(places.count)"]) { $1 })
            let wanted = analyzers.filter { run.analyzers.contains($0.name) }
            let items = places.map { LibraryAnalysis.Item(id: $0.id, url: $0.url, stamp: $0.stamp) }
            let decoder = decoder
            let analysis = LibraryAnalysis(wanted, store: store, width: width) {
                (item, due) throws(EarshotError) in try await Self.records(of: item, by: due, decoder)
            }
            for try await event in analysis.run(items) {
                switch event {
                case .began: break
                case .finished(let item, let records, let isNew): take(item, records, isNew, run.id)
                case .ended(let summary): end(summary, run.id, metadata)
                }
            }
            // A canceled stream ends like a completed one.
            try Task.checkCancellation()
            return nil
        } catch let error as EarshotError {
            logger.warning("An analysis failed", metadata: metadata.merging(["reason": "\(error.message)"]) { $1 })
            return error
        } catch is CancellationError {
            logger.info("An analysis was ended", metadata: metadata)
            return EarshotError(.cancelled, "The analysis was canceled.")
        } catch {
            return EarshotError(.internalError, "The analysis failed.", cause: error)
        }
    }

    /// Returns the records of a file. A file that cannot be decoded gets records of the failure, so that it is not tried again before it
    /// changes.
    private static func records(
        of item: LibraryAnalysis.Item,
        by analyzers: [any AudioAnalyzer],
        _ decoder: any FileDecoder
    ) async throws(EarshotError) -> (records: [AnalysisRecord], seconds: Double) {
        guard let url = item.url else { return try await LibraryAnalysis.records(of: item, by: analyzers) }
        let task = FileTask.analyses(analyzers.map(\.name), item: item.id, stamp: item.stamp)
        do throws(EarshotError) {
            let found = try await decoder.value(FileAnalyses.self, task, of: url)
            return (found.records, found.seconds)
        } catch  where error.code != .cancelled {
            return (LibraryAnalysis.failures(of: item, by: analyzers, error), 0)
        }
    }

    private func take(_ item: LibraryAnalysis.Item, _ records: [AnalysisRecord], _ isNew: Bool, _ id: String) {
        guard var run = runs[id]?.run else { return }
        run.done += 1
        if isNew { run.analyzed += 1 } else { run.unchanged += 1 }
        var hasFailed = false
        for record in records {
            guard case .failure(let code, let message) = record.outcome else { continue }
            hasFailed = true
            run.failureCounts[code, default: 0] += 1
            guard run.failures.count < Self.failureLimit else { continue }
            run.failures.append(
                AnalysisRun.FileFailure(
                    asset: item.id,
                    analyzer: record.analyzer,
                    code: code,
                    message: Self.told(message, item.url, item.id)
                )
            )
        }
        if hasFailed { run.failed += 1 }
        runs[id]?.run = run
    }

    private func end(_ summary: LibraryAnalysis.Summary, _ id: String, _ metadata: Logger.Metadata) {
        runs[id]?.run.audioSeconds = summary.audioSeconds
        logger.info(
            "An analysis is done",
            metadata: metadata.merging([
                "analysed": "\(summary.analyzed)", "unchanged": "\(summary.unchanged)", "failed": "\(summary.failed)",
                "seconds": "\(summary.seconds)",
            ]) { $1 }
        )
    }

    private static func told(_ message: String, _ url: URL?, _ id: String) -> String {
        url.map { message.replacing($0.path, with: id) } ?? message
    }

    // MARK: - Results

    /// Returns the stored analyses of a file in its current state.
    ///
    /// - Throws: The errors of the store.
    nonisolated func results(of place: MediaRoots.Place) async throws(EarshotError) -> AssetAnalyses {
        var entries: [AssetAnalyses.Entry] = []
        for analyzer in analyzers {
            guard let record = try await store.record(of: place.id, by: analyzer.name), record.stamp == place.stamp
            else { continue }
            var entry = AssetAnalyses.Entry(analyzer: record.analyzer, version: record.version)
            switch record.outcome {
            case .result(let bytes):
                guard let node = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
                    throw EarshotError(.storeDamaged, "A result of \(place.id) cannot be read: analyze it anew.")
                }
                entry.result = node
            case .failure(let code, let message):
                entry.error = Failure.Body(code: code, message: Self.told(message, place.url, place.id))
            }
            entries.append(entry)
        }
        return AssetAnalyses(asset: place.id, analyses: entries)
    }
}
