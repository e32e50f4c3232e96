package import EarshotCore

/// A signature generator for a stream that never ends, with times on the stream's own timeline.
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
/// Cutting buffers with ``part(of:from:)`` ends a part at every stride, so results do not depend on how the audio was cut.
/// Memory does not grow if ``forget(before:)`` is called now and then, and if the window is renewed when ``isExpired``.
package struct SignatureWindow: Sendable {
    /// The default life of a generator, long before the times of its landmarks run out: 20 days.
    package static let standardLife = MediaTime(value: 1_728_000, timescale: 1)
    /// The audio kept before the time given to ``forget(before:)``, because landmarks of neighboring frames may be out of
    /// order: 1 s.
    private static let margin = MediaTime(value: 1, timescale: 1)

    /// The distance between strides; `nil` if buffers are not cut.
    package let stride: MediaTime?
    private let life: MediaTime
    private var generator = SignatureGenerator()
    /// The stream's time at the generator's first sample.
    package private(set) var origin: MediaTime
    /// The stream's time at the end of the last complete stride.
    private var strideStart: MediaTime

    /// Creates a window without audio.
    ///
    /// - Parameters:
    ///   - origin: The stream's time at the first sample.
    ///   - stride: The distance between strides.
    ///   - life: The audio after which the window expires.
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

    /// The audio taken since ``origin``.
    package var duration: MediaTime { generator.duration }
    /// The stream's time at the end of the audio.
    package var end: MediaTime { origin + generator.duration }
    /// `true` if the generator has taken so much audio that ``restart(at:)`` is due.
    package var isExpired: Bool { generator.duration > life }

    // MARK: - Audio

    /// The part of a buffer from a frame on that ends with the present stride at the latest. It has at least one frame,
    /// unless the buffer is empty.
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

    /// Takes the next audio.
    ///
    /// - Throws: The errors of `SignatureGenerator.append(_:at:)`; the window is unchanged then.
    package mutating func append(_ buffer: AudioBuffer, at time: MediaTime? = nil) throws(EarshotError) {
        try generator.append(buffer, at: time)
    }

    /// Begins the next stride if the present one is complete.
    ///
    /// - Returns: `true` if it was.
    package mutating func completesStride() -> Bool {
        guard let stride, end >= strideStart + stride else { return false }
        // Not the end of the audio: the fraction of a frame beyond the stride would add up.
        strideStart = max(strideStart + stride, end - stride)
        return true
    }

    /// Begins anew at a time of the stream, behind a gap or when the window has expired. A time that is not numeric counts
    /// as ``end``.
    package mutating func restart(at time: MediaTime) {
        origin = time.isNumeric ? time : end
        generator = SignatureGenerator()
        strideStart = origin
    }

    /// Forgets the landmarks before a time of the stream.
    package mutating func forget(before time: MediaTime) {
        generator.forget(before: time - origin - Self.margin)
    }

    // MARK: - Signatures

    /// Returns the signature of the audio since ``origin``, as far as it was not forgotten.
    package func signature() -> Signature { generator.signature() }

    /// Returns the signature of the last audio, and the stream's time at which it begins.
    ///
    /// - Parameter duration: Its longest duration.
    package func tail(_ duration: MediaTime) -> (signature: Signature, start: MediaTime) {
        let slice = generator.signature(last: duration)
        return (slice.signature, origin + slice.offset)
    }
}
