/// Anything that delivers audio: a file, a microphone, a stream, an array of samples.
///
/// Blocks come in order. A block that does not begin where the one before it ended marks a gap; the source does not hide
/// it. What follows may have another format. The sequence ends when the audio does, and throws when it could not go on;
/// everything delivered before the error is good. It is read once.
public protocol AudioSource: AsyncSequence, Sendable where Element == AudioBlock, Failure == any Error {
    /// How much audio is expected in all, when that is known: for progress, not for arithmetic.
    var expectedDuration: MediaTime? { get }
}

extension AudioSource {
    /// Unknown, unless a source says otherwise.
    public var expectedDuration: MediaTime? { nil }
}
