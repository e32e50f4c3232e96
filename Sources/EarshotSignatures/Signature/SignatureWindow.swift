package import EarshotCore

/// A signature generator for an endless stream, with times on the stream's own timeline.
///
/// ```swift
/// var first = 0
/// repeat {
///     let part = window.part(of: buffer, from: first)
///     try window.append(part)
///     first += part.frameCount
///     if window.completesStride() { look(at: window.tail(tenSeconds)) }
/// } while first < buffer.frameCount
/// ```
///
/// A stride is the interval of audio after which the caller searches again. Parts from ``part(of:from:)`` end at every
/// stride, so results do not depend on how the audio is divided into buffers. Memory does not grow if
/// ``forget(before:)`` is called regularly, and ``restart(at:)`` when ``isExpired``.
package struct SignatureWindow: Sendable {
    /// The default duration of audio after which a window expires: 20 days, long before the times of its landmarks
    /// overflow.
    package static let standardLife = MediaTime(value: 1_728_000, timescale: 1)
    /// The audio kept before the time given to ``forget(before:)``, because landmarks of neighboring frames may be out of
    /// order: 1 s.
    private static let margin = MediaTime(value: 1, timescale: 1)

    /// The duration of a stride; `nil` if buffers are not divided.
    package let stride: MediaTime?
    private let life: MediaTime
    private var generator = SignatureGenerator()
    /// The time on the stream's timeline of the first sample since the last restart.
    package private(set) var origin: MediaTime
    /// The stream's time at the end of the last complete stride.
    private var strideStart: MediaTime

    /// Creates a window without audio.
    ///
    /// - Parameters:
    ///   - origin: The time of the first sample on the stream's timeline.
    ///   - stride: The duration of a stride; `nil` if buffers are not divided.
    ///   - life: The duration of audio after which the window expires. Default: 20 days.
    package init(
        from origin: MediaTime = .zero,
        stride: MediaTime? = nil,
        life: MediaTime = SignatureWindow.standardLife
    ) {
        self.origin = origin
        self.stride = stride
        self.life = life
        strideStart = origin
    }

    /// The duration of the audio appended since ``origin``.
    package var duration: MediaTime { generator.duration }
    /// The time on the stream's timeline of the end of the appended audio.
    package var end: MediaTime { origin + generator.duration }
    /// `true` if ``restart(at:)`` is due, because the duration of the audio exceeds the life of the window.
    package var isExpired: Bool { generator.duration > life }

    // MARK: - Audio

    /// Returns the frames of a buffer from one on that fit into the current stride: at least one frame, unless the
    /// buffer is empty.
    package func part(of buffer: AudioBuffer, from first: Int) -> AudioBuffer {
        let rest = buffer.frameCount - first
        var count = rest
        if let stride {
            let room = strideStart + stride - end
            let frames = room.converted(
                toTimescale: Int32(clamping: max(1, buffer.sampleRate)),
                rounding: .towardPositiveInfinity
            )
            count = min(rest, max(1, Int(frames.value)))
        }
        return count == buffer.frameCount ? buffer : buffer.frames(first..<first + count)
    }

    /// Appends audio to the window. Earlier audio stays in it until ``forget(before:)`` or ``restart(at:)``.
    ///
    /// - Throws: The errors of `SignatureGenerator.append(_:at:)`; the window is unchanged then.
    package mutating func append(_ buffer: AudioBuffer, at time: MediaTime? = nil) throws(EarshotError) {
        try generator.append(buffer, at: time)
    }

    /// Starts the next stride if the current one is complete.
    ///
    /// - Returns: `true` if the stride was complete; `false` otherwise, or without strides.
    package mutating func completesStride() -> Bool {
        guard let stride, end >= strideStart + stride else { return false }
        // Not the end of the audio: the fraction of a frame beyond the stride would add up.
        strideStart = max(strideStart + stride, end - stride)
        return true
    }

    /// Discards all audio and starts again at a time of the stream, after a gap or when the window has expired. A time
    /// that is not numeric counts as ``end``.
    package mutating func restart(at time: MediaTime) {
        origin = time.isNumeric ? time : end
        generator = SignatureGenerator()
        strideStart = origin
    }

    /// Discards the landmarks before a time on the stream's timeline; up to one second more is kept.
    package mutating func forget(before time: MediaTime) {
        generator.forget(before: time - origin - Self.margin)
    }

    // MARK: - Signatures

    /// Returns the signature of the audio since ``origin``, as far as it was not forgotten.
    package func signature() -> Signature { generator.signature() }

    /// Returns the signature of the last part of the audio, and its start on the stream's timeline.
    ///
    /// - Parameter duration: The longest duration of the part.
    package func tail(_ duration: MediaTime) -> (signature: Signature, start: MediaTime) {
        let slice = generator.signature(last: duration)
        return (slice.signature, origin + slice.offset)
    }
}
