public import EarshotCore
import EarshotSignatures
public import Foundation

/// Cuts the audio of a channel into chunks for a ``LiveIndex`` or a feed.
///
/// The audio is analyzed as a whole: consecutive chunks have the landmarks of uncut audio. A chunk is returned one
/// second after the end of its audio, because peaks are compared with what follows them. A pure value.
public struct LiveFeeder: Sendable {
    /// The duration of a chunk.
    public let pieceDuration: MediaTime
    /// The number of the next chunk.
    public private(set) var sequence: UInt64

    /// The audio, with times since 1970; `nil` before the first buffer.
    private var window: SignatureWindow?
    /// The steps of the window's audio that were returned in chunks.
    private var emitted: Int64 = 0

    /// The time after which landmarks no longer change, in steps: 1 s.
    private static let settling = LiveTime.stepsPerSecond
    /// The largest deviation of a buffer's date from the end of the previous buffer, in milliseconds. More is a gap.
    private static let tolerance: Int64 = 250

    /// Creates a feeder.
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

    /// Appends audio.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - date: The time at which its first frame was broadcast. A deviation of up to 250 ms from the end of the last
    ///     buffer counts as jitter of the clock; after a larger one the audio continues at its own date.
    /// - Returns: The complete chunks.
    /// - Throws: `audioFormatInvalid` if the format is not supported; `requestInvalid` for a date before 1970 or after
    ///   the year 9999.
    public mutating func append(_ buffer: AudioBuffer, at date: Date) throws(EarshotError) -> [LiveChunk] {
        guard let milliseconds = LiveTime.milliseconds(date) else {
            throw EarshotError(.requestInvalid, "The audio is dated before 1970: check the clock.")
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

    /// Ends the audio and returns the rest of it. Audio that is appended later is analyzed as a new start.
    ///
    /// - Throws: `requestInvalid` if the audio extends beyond the year 9999.
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
