/// Anything that delivers audio: a file, a microphone, a stream, an array of samples.
///
/// Blocks come in order. A block that does not begin where the previous one ended marks a gap. Blocks after a gap may
/// have another format. The sequence ends with the audio, and throws if the source fails; blocks that were delivered
/// before the error are valid. A source can be read once.
public protocol AudioSource: AsyncSequence, Sendable where Element == AudioBlock, Failure == any Error {
    /// The expected duration of the audio if it is known: an estimate for progress bars, not for arithmetic.
    var expectedDuration: MediaTime? { get }
}

extension AudioSource {
    /// Unknown, unless a source says otherwise.
    public var expectedDuration: MediaTime? { nil }
}
