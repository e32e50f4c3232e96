import EarshotCatalogs
import EarshotCore
import EarshotSignatures

/// References that wait until there are enough of them for a segment.
struct IngestBatch: Sendable {
    private(set) var additions: [Catalog.Addition] = []
    /// Bytes that they take in a segment, about.
    private var size = 0.0
    /// The time at which the first one came, in seconds of the clock.
    private var begin = 0.0

    mutating func append(_ addition: Catalog.Addition, at now: Double) {
        if additions.isEmpty { begin = now }
        additions.append(addition)
        // 1.06 MB an hour, as measured of music.
        size += addition.signature.duration.seconds * 300
    }

    var isEmpty: Bool { additions.isEmpty }

    /// Says that it is time for a segment.
    func isDue(_ limits: IngestWorker.Limits, at now: Double) -> Bool {
        !isEmpty && (additions.count >= limits.count || size >= limits.size || now - begin >= limits.seconds)
    }

    /// Takes all references out.
    mutating func take() -> [Catalog.Addition] {
        defer { self = IngestBatch() }
        return additions
    }
}
