import EarshotCore
import Foundation
import Synchronization

/// Samples the figures of the service every few seconds and keeps those of the last minutes.
final class StateRecorder: Sendable {
    /// The figures at one moment.
    struct Sample: Encodable, Sendable {
        let time: Date
        /// Answers since the sample before, by the first digit of their status, from 1 to 5.
        var answers = [0, 0, 0, 0, 0]
        /// Recognitions since the sample before.
        var recognitions = 0
        /// The middle one of the durations of recognitions since the sample before, in seconds; `nil` without any.
        var median: Double?
        /// The duration that 95 of 100 recognitions since the sample before did not exceed, in seconds; `nil` without any.
        var slow: Double?
        /// Work that runs and that waits.
        var running = 0
        var waiting = 0
        /// Resident memory in bytes; `nil` if the system does not tell.
        var memory: Int?
        /// The processors that were busy for the service since the sample before: 1 for one all the time.
        var processors = 0.0
        var connections = 0
        /// Open files and sockets; `nil` if the system does not tell.
        var files: Int?
    }

    /// The durations of requests in the last minutes, in seconds.
    struct Latency: Encodable, Sendable {
        let count: Int
        let median: Double?
        let p95: Double?
        let p99: Double?

        init(_ durations: MetricRegistry.Durations) {
            count = durations.count
            median = durations.quantile(0.5)
            p95 = durations.quantile(0.95)
            p99 = durations.quantile(0.99)
        }
    }

    /// The interval of samples, in seconds.
    static let interval = 5.0
    /// The number of samples that are kept: 15 minutes.
    static let kept = 180
    /// The number of samples over which latency is computed: 5 minutes.
    private static let latencySamples = 60

    private struct State {
        var samples: [Sample] = []
        /// The counts at the last ``latencySamples`` samples and the one before, the oldest first.
        var counts: [MetricRegistry.RequestCounts] = []
        var processorTime = 0.0
        var taken: ContinuousClock.Instant?
    }

    let metrics: MetricRegistry
    let queue: WorkQueue
    let connections: ConnectionCount
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(
        metrics: MetricRegistry,
        queue: WorkQueue,
        connections: ConnectionCount,
        now: @escaping @Sendable () -> Date
    ) {
        self.metrics = metrics
        self.queue = queue
        self.connections = connections
        self.now = now
    }

    /// Samples until the task is canceled.
    func run() async {
        repeat {
            try? await BlockingWork.run { [self] () throws(EarshotError) in take() }
        } while (try? await Task.sleep(for: .seconds(Self.interval))) != nil
    }

    /// Takes a sample. Blocks.
    func take() {
        let counts = metrics.requests
        var sample = current()
        let (time, instant) = (ProcessFigures.processorTime, ContinuousClock.now)
        state.withLock { state in
            let before = state.counts.last ?? MetricRegistry.RequestCounts()
            if state.taken != nil {
                sample.answers = zip(counts.classes, before.classes).map { $0 - $1 }
                let durations = counts.recognitions.since(before.recognitions)
                sample.recognitions = durations.count
                (sample.median, sample.slow) = (durations.quantile(0.5), durations.quantile(0.95))
            }
            if let taken = state.taken {
                let seconds = (instant - taken).seconds
                if seconds > 0 { sample.processors = max(0, time - state.processorTime) / seconds }
            }
            (state.processorTime, state.taken) = (time, instant)
            state.counts.append(counts)
            state.samples.append(sample)
            state.counts.removeFirst(max(0, state.counts.count - Self.latencySamples - 1))
            state.samples.removeFirst(max(0, state.samples.count - Self.kept))
        }
    }

    /// Returns the present figures, without those that are differences from the sample before. Blocks.
    func current() -> Sample {
        var sample = Sample(time: now())
        (sample.running, sample.waiting) = queue.load
        sample.memory = ProcessFigures.residentMemory
        sample.files = ProcessFigures.openFiles
        sample.connections = connections.value
        return sample
    }

    /// Returns the samples after a time, in order. Clients send times in milliseconds, so samples less than 1 ms later are left out: one is
    /// the sample of the time itself.
    func samples(after time: Date) -> [Sample] {
        state.withLock { $0.samples.filter { $0.time.timeIntervalSince(time) > 0.001 } }
    }

    /// The counts of five minutes ago; all 0 for a service that started since.
    private var earlier: MetricRegistry.RequestCounts {
        state.withLock { state in
            state.counts.count > Self.latencySamples ? state.counts.first : nil
        } ?? MetricRegistry.RequestCounts()
    }

    /// The durations of requests in the last minutes: of all, and of recognitions.
    var latency: (all: Latency, recognitions: Latency) {
        let (counts, before) = (metrics.requests, earlier)
        return (Latency(counts.all.since(before.all)), Latency(counts.recognitions.since(before.recognitions)))
    }

    /// The numbers of answers in the last minutes, by the first digit of their status, from 1 to 5.
    var answers: [Int] {
        let (counts, before) = (metrics.requests, earlier)
        return zip(counts.classes, before.classes).map { $0 - $1 }
    }
}
