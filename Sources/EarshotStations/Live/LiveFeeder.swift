public import EarshotCore
import EarshotSignatures
public import Foundation

/// Cuts the audio of a channel into pieces for a ``LiveIndex`` or a feed.
///
/// The audio is analyzed as one: pieces that follow each other have the landmarks of the whole, as if it had not been cut. A
/// piece comes one second after its audio ended, for peaks are weighed against what surrounds them. A pure value.
public struct LiveFeeder: Sendable {
    /// The duration of a chunk.
    public let pieceDuration: MediaTime
    /// The number of the next piece.
    public private(set) var sequence: UInt64

    /// The audio, in time since 1970; `nil` before the first buffer.
    private var window: SignatureWindow?
    /// Steps of the window's audio that were given away.
    private var emitted: Int64 = 0

    /// Time behind a landmark until it is settled: 1 s.
    private static let settling = LiveTime.stepsPerSecond
    /// How far a buffer's date may lie from where the last one ended: 250 ms. More is a gap.
    private static let tolerance: Int64 = 250

    /// A feeder that has heard nothing.
    ///
    /// - Parameters:
    ///   - pieceDuration: The duration of a chunk: 1 to 60 s. Default: 4 s.
    ///   - sequence: The number of the first chunk. A feeder that replaces an earlier one continues after its last
    ///     number.
    public init(pieceDuration: MediaTime = MediaTime(value: 4, timescale: 1), sequence: UInt64 = 0) {
        let shortest = MediaTime(value: 1, timescale: 1)
        self.pieceDuration =
            pieceDuration.isNumeric ? min(max(pieceDuration, shortest), LiveChunk.longest) : shortest
        self.sequence = sequence
    }

    /// Takes audio.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - date: The time at which its first frame was broadcast. A deviation of up to 250 ms from the end of the last
    ///     buffer counts as jitter of the clock; after a larger one the audio continues at its own date.
    /// - Returns: The pieces that are complete.
    /// - Throws: `audioFormatInvalid`; `requestInvalid` for a date before 1970 or behind the year 9999.
    public mutating func append(_ buffer: AudioBuffer, at date: Date) throws(EarshotError) -> [LiveChunk] {
        guard let milliseconds = LiveTime.milliseconds(date) else {
            throw EarshotError(.requestInvalid, "Audio of the years before 1970 cannot be: check the clock.")
        }
        var pieces: [LiveChunk] = []
        if let window {
            let expected = window.origin.value + Int64((window.duration.seconds * 1_000).rounded())
            if abs(milliseconds - expected) > Self.tolerance || window.isExpired { pieces = try finish() }
        }
        if (window?.duration ?? .zero) == .zero {
            window = SignatureWindow(from: MediaTime(value: milliseconds, timescale: 1_000))
        }
        try window?.append(buffer)
        pieces += try complete(behind: Self.settling)
        return pieces
    }

    /// The rest of the audio, as after its end. What comes next is analyzed anew.
    ///
    /// - Throws: `requestInvalid` when the audio went beyond the year 9999.
    public mutating func finish() throws(EarshotError) -> [LiveChunk] {
        var pieces = try complete(behind: 0)
        if let window {
            let rest = LiveTime.steps(window.duration) - emitted
            if rest > 0 { pieces.append(try piece(rest, of: window.signature(), from: window.origin)) }
        }
        (window, emitted) = (nil, 0)
        return pieces
    }

    private mutating func complete(behind: Int64) throws(EarshotError) -> [LiveChunk] {
        let length = LiveTime.steps(pieceDuration)
        guard let window, LiveTime.steps(window.duration) - behind - emitted >= length else { return [] }
        let signature = window.signature()
        var pieces: [LiveChunk] = []
        while LiveTime.steps(window.duration) - behind - emitted >= length {
            pieces.append(try piece(length, of: signature, from: window.origin))
        }
        self.window?.forget(before: window.origin + LiveTime.time(emitted))
        return pieces
    }

    private mutating func piece(
        _ length: Int64,
        of signature: Signature,
        from origin: MediaTime
    ) throws(EarshotError) -> LiveChunk {
        let slice = signature.slice(from: LiveTime.time(emitted), duration: LiveTime.time(length))
        let piece = try LiveChunk(
            sequence: sequence,
            milliseconds: origin.value + emitted * 2,
            signature: slice.signature
        )
        emitted += length
        sequence += 1
        return piece
    }
}
