import EarshotMedia

/// The first 128 bits of a digest of encoded audio, by which items are distinguished.
public struct AudioKey: Hashable, Comparable, Sendable, Codable {
    /// The first eight bytes, in big-endian order.
    public let high: UInt64
    /// The last eight bytes, in big-endian order.
    public let low: UInt64

    /// Creates a key from its two halves.
    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    init(_ digest: AudioDigest) {
        func half(_ place: Int) -> UInt64 { digest.bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(0), low: half(8))
    }

    /// The sixteen bytes.
    public var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    /// Compares keys by their bytes.
    public static func < (left: AudioKey, right: AudioKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
