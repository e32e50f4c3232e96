package import CoreMetrics
import EarshotCore
import Foundation
import Synchronization

/// A backend of swift-metrics that keeps all metrics and writes them in Prometheus' text format.
///
/// Counters, gauges and meters are one number each. Timers are histograms over ``bounds`` in seconds, recorders histograms over the same
/// numbers in their own unit. Dimensions become labels.
package final class MetricRegistry: MetricsFactory, Sendable {
    /// The upper bounds of the buckets of a histogram.
    package static let bounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]
    /// The largest number of series, so that a label with too many values does not fill the memory.
    package static let seriesLimit = 4_096

    enum Kind: String {
        case counter, gauge, histogram
    }

    struct Key: Hashable {
        let name: String
        let labels: [String]
    }

    private struct State {
        var kinds: [String: Kind] = [:]
        var series: [Key: MetricSeries] = [:]
    }

    private let state = Mutex(State())
    /// The series that collects the values of series beyond the limit.
    private let overflow = MetricSeries()

    /// Creates an empty registry.
    package init() {}

    // MARK: - MetricsFactory

    /// Returns the counter with a name and dimensions.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        // By convention, names of Prometheus' counters end with `_total`.
        series(label.hasSuffix("_total") ? label : label + "_total", dimensions, .counter)
    }

    /// Returns the recorder with a name and dimensions: a histogram if it aggregates, otherwise a gauge.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .histogram : .gauge)
    }

    /// Returns the meter with a name and dimensions.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    /// Returns the timer with a name and dimensions.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label.hasSuffix("_seconds") ? label : label + "_seconds", dimensions, .histogram)
    }

    /// Has no effect: Prometheus counts from the start of the process.
    package func destroyCounter(_: any CounterHandler) {}
    /// Has no effect; the metric is kept.
    package func destroyRecorder(_: any RecorderHandler) {}
    /// Has no effect; the metric is kept.
    package func destroyMeter(_: any MeterHandler) {}
    /// Has no effect; the metric is kept.
    package func destroyTimer(_: any TimerHandler) {}

    private func series(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) -> MetricSeries {
        let name = Self.name(label)
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.sorted()
        let key = Key(name: name, labels: labels)
        return state.withLock { state in
            if let known = state.series[key] { return known }
            guard state.series.count < Self.seriesLimit, state.kinds[name] ?? kind == kind else { return overflow }
            state.kinds[name] = kind
            let series = MetricSeries()
            state.series[key] = series
            return series
        }
    }

    /// The present values of all series.
    var values: [(key: Key, value: MetricSeries.Value)] {
        state.withLock(\.series).map { ($0, $1.value) }
    }

    // MARK: - Text

    /// All metrics in Prometheus' text format, version 0.0.4, sorted by name and labels.
    package var text: String {
        let (kinds, series) = state.withLock { ($0.kinds, $0.series) }
        var lines: [String] = []
        for name in kinds.keys.sorted() {
            guard let kind = kinds[name] else { continue }
            lines.append("# TYPE \(name) \(kind.rawValue)")
            let keys = series.keys.filter { $0.name == name }.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
            for key in keys {
                guard let value = series[key]?.value else { continue }
                switch kind {
                case .counter, .gauge: lines.append("\(name)\(Self.braces(key.labels)) \(Self.number(value.sum))")
                case .histogram:
                    var count = 0
                    for (bound, part) in zip(Self.bounds, value.parts) {
                        count += part
                        lines.append(
                            "\(name)_bucket\(Self.braces(key.labels + ["le=\"\(Self.number(bound))\""])) \(count)"
                        )
                    }
                    lines.append("\(name)_bucket\(Self.braces(key.labels + ["le=\"+Inf\""])) \(value.count)")
                    lines.append("\(name)_sum\(Self.braces(key.labels)) \(Self.number(value.sum))")
                    lines.append("\(name)_count\(Self.braces(key.labels)) \(value.count)")
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func braces(_ labels: [String]) -> String {
        labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func name(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber == true ? "_" + name : name
    }

    private static func escaped(_ text: String) -> String {
        text.replacingScalars(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }
}
