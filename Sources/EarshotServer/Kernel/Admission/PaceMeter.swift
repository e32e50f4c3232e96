import EarshotCore

/// Ends an upload that trickles: in each ``window``, at least ``leastPace`` bytes a second must come. A pure value.
struct PaceMeter {
    /// The least number of bytes a second.
    static let leastPace = 64 << 10
    /// The time over which bytes are counted together, in seconds.
    static let window = 30.0

    /// The advice to the sender of an upload that was ended, as the end of a sentence.
    private let advice: String
    private var begin: Double
    private var count = 0

    /// - Parameters:
    ///   - now: The time at which the upload begins, in seconds.
    ///   - advice: The advice to the sender if the upload is ended, as the end of a sentence.
    init(at now: Double, advice: String = "ask how far it is, and go on there on a better connection") {
        (begin, self.advice) = (now, advice)
    }

    /// Counts bytes.
    ///
    /// - Throws: `timedOut` when too few came in the window that is over.
    mutating func take(_ bytes: Int, at now: Double) throws(EarshotError) {
        count += bytes
        guard now - begin >= Self.window else { return }
        guard Double(count) >= Double(Self.leastPace) * Self.window else {
            throw EarshotError(
                .timedOut,
                "Fewer than \(Self.leastPace >> 10) KiB a second came: \(advice)."
            )
        }
        (begin, count) = (now, 0)
    }
}
