public import EarshotCore
public import EarshotSignatures
public import Foundation

/// Some seconds of a channel's broadcast: their signature, and the time of the first sample.
public struct LiveChunk: Hashable, Sendable {
    /// The longest chunk: 60 s. Two to ten seconds are recommended.
    public static let longest = MediaTime(value: 60, timescale: 1)

    /// The number of the chunk in its feed; numbers ascend.
    public let sequence: UInt64
    /// The time at which the first sample was broadcast, rounded to the millisecond.
    public let start: Date
    /// The signature of the broadcast; empty for silence.
    public let signature: Signature

    let milliseconds: Int64

    /// The times of the first sample and of the end, in milliseconds since 1970, rounded as on the timeline of a
    /// channel.
    package var span: Range<Int64> {
        let end = (LiveTime.step(milliseconds: milliseconds) + LiveTime.steps(signature.duration)) * 2
        return milliseconds..<max(milliseconds, end)
    }

    /// Creates a chunk.
    ///
    /// - Parameters:
    ///   - sequence: The number of the chunk in its feed.
    ///   - start: The time at which the first sample was broadcast; rounded to the millisecond.
    ///   - signature: The signature of the broadcast, longer than zero and up to ``longest``.
    /// - Throws: `requestInvalid` for a start before 1970 or after the year 9999, and for a duration outside of the
    ///   limits.
    public init(sequence: UInt64, start: Date, signature: Signature) throws(EarshotError) {
        guard let milliseconds = LiveTime.milliseconds(start) else {
            throw EarshotError(
                .requestInvalid,
                "Chunk \(sequence) begins outside the years 1970 to 9999: check the clock of its sender."
            )
        }
        try self.init(sequence: sequence, milliseconds: milliseconds, signature: signature)
    }

    init(sequence: UInt64, milliseconds: Int64, signature: Signature) throws(EarshotError) {
        guard signature.duration > .zero, signature.duration <= Self.longest else {
            throw EarshotError(
                .requestInvalid,
                "Chunk \(sequence) lasts \(signature.duration.seconds) s: send chunks of up to 60 s, best 2 to 10 s."
            )
        }
        self.sequence = sequence
        self.milliseconds = milliseconds
        start = LiveTime.date(milliseconds: milliseconds)
        self.signature = signature
    }
}
