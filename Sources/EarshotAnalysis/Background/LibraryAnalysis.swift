import Dispatch
package import EarshotCore
import EarshotMedia
public import Foundation
import Synchronization

/// Analyzes the files of a library in the background. It can be interrupted at any time, and analyzes each file once.
///
/// Each result is stored at once, under the item, the analyzer's version and the stamp of the file. So an interrupted
/// run resumes, and a run over unchanged files reads no audio. A failed file does not stop the others, and is not tried
/// again before it changes.
public struct LibraryAnalysis: Sendable {
    /// An item to be analyzed.
    public struct Item: Hashable, Sendable {
        /// The identifier under which results are stored.
        public let id: String
        /// The address of its file; `nil` for an item that is not on this device.
        public let url: URL?
        /// A text that changes with the file, such as its size and time of change.
        public let stamp: String

        /// Creates an item.
        public init(id: String, url: URL?, stamp: String) {
            self.id = id
            self.url = url
            self.stamp = stamp
        }
    }

    /// An event of a run.
    public enum Event: Sendable {
        /// A run has begun; with the number of items.
        case began(items: Int)
        /// An item is done, with its new and earlier records; `isNew` is `true` if it was analyzed in this run.
        case finished(Item, [AnalysisRecord], isNew: Bool)
        /// The run is over.
        case ended(Summary)
    }

    /// The totals of a run.
    public struct Summary: Hashable, Sendable {
        /// The number of items that were analyzed.
        public var analyzed = 0
        /// The number of items whose results were all stored already.
        public var unchanged = 0
        /// The number of items with a failed analysis, in this run or before.
        public var failed = 0
        /// The duration of the analyzed audio, in seconds.
        public var audioSeconds = 0.0
        /// The duration of the run, in seconds.
        public var seconds = 0.0

        /// Creates empty totals.
        public init() {}
    }

    /// A function that analyzes an item and returns the record of each analyzer, and the duration of the audio in seconds.
    package typealias Hearing =
        @Sendable (Item, [any AudioAnalyzer]) async throws(EarshotError) -> (records: [AnalysisRecord], seconds: Double)

    private let analyzers: [any AudioAnalyzer]
    private let store: any AnalysisStore
    private let width: Int
    private let hearing: Hearing

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - analyzers: The analyses to make of each file.
    ///   - store: The store of results.
    ///   - width: The number of files read concurrently; at least 1.
    public init(_ analyzers: [any AudioAnalyzer], store: any AnalysisStore, width: Int = 1) {
        self.init(analyzers, store: store, width: width, hearing: Self.records)
    }

    /// Creates a run with a custom function that analyzes files.
    package init(
        _ analyzers: [any AudioAnalyzer],
        store: any AnalysisStore,
        width: Int,
        hearing: @escaping Hearing
    ) {
        self.analyzers = analyzers
        self.store = store
        self.width = max(1, width)
        self.hearing = hearing
    }

    /// Decodes an item once and returns the record of each analyzer, and the duration of the audio in seconds.
    ///
    /// - Throws: `cancelled`. Other errors become records.
    @Sendable
    package static func records(
        of item: Item,
        by analyzers: [any AudioAnalyzer]
    ) async throws(EarshotError) -> (records: [AnalysisRecord], seconds: Double) {
        try await FileAnalysis(item: item, analyzers: analyzers).records()
    }

    /// Returns a record with an error for each analyzer, for an item that could not be decoded.
    package static func failures(
        of item: Item,
        by analyzers: [any AudioAnalyzer],
        _ error: EarshotError
    ) -> [AnalysisRecord] {
        FileAnalysis(item: item, analyzers: analyzers).failures(error)
    }

    /// Analyzes the items that have no current results. The call returns at once; ending the stream, or its task, ends the run.
    ///
    /// - Parameter items: The items, in the order in which they are analyzed.
    /// - Returns: The events. It throws errors that concern the whole run, such as a store that cannot be written.
    ///   After cancellation the stream ends without ``Event/ended(_:)``.
    public func run(_ items: [Item]) -> AsyncThrowingStream<Event, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
        let task = Task(priority: .utility) {
            do {
                try await analyze(items, continuation)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private struct Done: Sendable {
        let item: Item
        let records: [AnalysisRecord]
        let isNew: Bool
        var audioSeconds = 0.0
    }

    private func analyze(_ items: [Item], _ out: AsyncThrowingStream<Event, any Error>.Continuation) async throws {
        let start = ContinuousClock.now
        out.yield(.began(items: items.count))
        var summary = Summary()
        func tell(_ done: Done) {
            summary.audioSeconds += done.audioSeconds
            if done.isNew { summary.analyzed += 1 } else { summary.unchanged += 1 }
            let hasFailed = done.records.contains { if case .failure = $0.outcome { true } else { false } }
            if hasFailed { summary.failed += 1 }
            out.yield(.finished(done.item, done.records, isNew: done.isNew))
        }
        try await withThrowingTaskGroup(of: Done.self) { group in
            var running = 0
            for start in stride(from: 0, to: items.count, by: Self.batchSize) {
                let batch = items[start..<min(start + Self.batchSize, items.count)]
                let known = Dictionary(grouping: try await store.records(of: batch.map(\.id)), by: \.item)
                for item in batch {
                    try Task.checkCancellation()
                    let (kept, due) = sorted(known[item.id] ?? [], of: item)
                    guard !due.isEmpty else {
                        tell(Done(item: item, records: kept, isNew: false))
                        continue
                    }
                    if running == width, let done = try await group.next() {
                        tell(done)
                        running -= 1
                    }
                    group.addTask { try await analyzed(item, kept: kept, due) }
                    running += 1
                }
            }
            while let done = try await group.next() {
                try Task.checkCancellation()
                tell(done)
            }
        }
        let duration = ContinuousClock.now - start
        summary.seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        out.yield(.ended(summary))
    }

    /// Items whose records are asked for at once: in a library that has not changed, asking is all there is to do.
    private static let batchSize = 100

    /// The records that still say what is so, and the analyzers of which there is none.
    private func sorted(
        _ known: [AnalysisRecord],
        of item: Item
    ) -> (kept: [AnalysisRecord], due: [any AudioAnalyzer]) {
        var kept: [AnalysisRecord] = []
        var due: [any AudioAnalyzer] = []
        for analyzer in analyzers {
            let record = known.first {
                $0.analyzer == analyzer.name && $0.version == analyzer.version && $0.stamp == item.stamp
            }
            if let record { kept.append(record) } else { due.append(analyzer) }
        }
        return (kept, due)
    }

    @concurrent
    private func analyzed(_ item: Item, kept: [AnalysisRecord], _ due: [any AudioAnalyzer]) async throws -> Done {
        let (records, seconds) = try await hearing(item, due)
        try await store.keep(records)
        return Done(item: item, records: kept + records, isNew: true, audioSeconds: seconds)
    }
}
