extension MetricRegistry {
    /// Requests, counted since the start.
    struct RequestCounts: Sendable {
        /// The numbers of answers by the first digit of their status, from 1 to 5.
        var classes = [Int](repeating: 0, count: 5)
        /// The durations of all requests.
        var all = Durations()
        /// The durations of recognitions.
        var recognitions = Durations()
    }

    /// A histogram of durations over ``bounds``.
    struct Durations: Sendable {
        /// The number of durations in each interval: above the bound before, up to this bound; in the last one above all bounds.
        var parts = [Int](repeating: 0, count: MetricRegistry.bounds.count + 1)

        var count: Int { parts.reduce(0, +) }

        /// Returns the durations that were added since an earlier state.
        func since(_ before: Durations) -> Durations {
            var rest = self
            for index in rest.parts.indices { rest.parts[index] -= before.parts[index] }
            return rest
        }

        /// Returns a quantile in seconds, as exact as the intervals of the histogram; `nil` if there are no durations.
        func quantile(_ share: Double) -> Double? {
            let count = count
            guard count > 0 else { return nil }
            let rank = share * Double(count)
            var before = 0
            for (index, part) in parts.enumerated() where part > 0 {
                if Double(before + part) >= rank {
                    guard index < MetricRegistry.bounds.count else { break }
                    let lower = index == 0 ? 0 : MetricRegistry.bounds[index - 1]
                    let within = (rank - Double(before)) / Double(part)
                    return lower + within * (MetricRegistry.bounds[index] - lower)
                }
                before += part
            }
            return MetricRegistry.bounds.last
        }
    }

    /// The beginnings of paths that do not count as work for people and apps: the state of the service, and files of pages.
    private static let uncounted = ["/health", "/ready", "/metrics", "/v1/admin/state", "/v1/admin/log", "/web/"]
    private static let recognizing: Set<String> = ["/v1/recognitions", "/v1/broadcasts/recognitions"]

    /// The requests of people and apps since the start.
    var requests: RequestCounts {
        var counts = RequestCounts()
        for (key, value) in values
        where key.name == "http_requests_total" || key.name == "http_request_duration_seconds" {
            guard let path = Self.label("path", of: key), !Self.uncounted.contains(where: { path.hasPrefix($0) })
            else { continue }
            if key.name == "http_requests_total" {
                let status = Self.label("status", of: key)?.first?.wholeNumberValue ?? 0
                if (1...5).contains(status) { counts.classes[status - 1] += Int(value.sum) }
            } else {
                let parts = value.parts + [value.count - value.parts.reduce(0, +)]
                for (index, part) in parts.enumerated() {
                    counts.all.parts[index] += part
                    if Self.recognizing.contains(path) { counts.recognitions.parts[index] += part }
                }
            }
        }
        return counts
    }

    /// Returns the value of a label in a key, in which labels are written as `name="value"`.
    private static func label(_ name: String, of key: Key) -> String? {
        let begin = "\(name)=\""
        guard let label = key.labels.first(where: { $0.hasPrefix(begin) }) else { return nil }
        return String(label.dropFirst(begin.count).dropLast())
    }
}
