import CoreMetrics
import Synchronization

/// The values of one metric with one set of labels.
final class MetricSeries: CounterHandler, RecorderHandler, MeterHandler, TimerHandler, Sendable {
    struct Value {
        /// The number of a counter or a gauge, or the sum of a histogram.
        var sum = 0.0
        var count = 0
        /// The number of values in each interval of a histogram.
        var parts = [Int](repeating: 0, count: MetricRegistry.bounds.count)
    }

    private let state = Mutex(Value())

    var value: Value { state.withLock { $0 } }

    func increment(by amount: Int64) { state.withLock { $0.sum += Double(amount) } }
    func increment(by amount: Double) { state.withLock { $0.sum += amount } }
    func decrement(by amount: Double) { state.withLock { $0.sum -= amount } }
    func set(_ value: Int64) { state.withLock { $0.sum = Double(value) } }
    func set(_ value: Double) { state.withLock { $0.sum = value } }
    func reset() { state.withLock { $0 = Value() } }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        state.withLock { state in
            state.sum += value
            state.count += 1
            if let part = MetricRegistry.bounds.firstIndex(where: { value <= $0 }) { state.parts[part] += 1 }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }
}
