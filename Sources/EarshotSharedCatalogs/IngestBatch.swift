import EarshotCatalogs
import EarshotCore
import EarshotSignatures

/// References that wait until there are enough of them for a segment.
struct IngestBatch: Sendable {
    private(set) var additions: [Catalog.Addition] = []
    /// The estimated bytes of the references in a segment.
    private var size = 0.0
    /// The time at which the first reference came, in seconds of the clock.
    private var begin = 0.0

    mutating func append(_ addition: Catalog.Addition, at now: Double) {
        if additions.isEmpty { begin = now }
        additions.append(addition)
        // 300 bytes a second: 1.06 MB an hour, as measured of music.
        size += addition.signature.duration.seconds * 300
    }

    var isEmpty: Bool { additions.isEmpty }

    /// Returns `true` if the batch has reached one of the limits of a segment.
    func isDue(_ limits: IngestWorker.Limits, at now: Double) -> Bool {
        !isEmpty && (additions.count >= limits.count || size >= limits.size || now - begin >= limits.seconds)
    }

    /// Takes all references out.
    mutating func take() -> [Catalog.Addition] {
        defer { self = IngestBatch() }
        return additions
    }
}
