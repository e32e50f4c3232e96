/// A source of audio: a file, a microphone, a stream, an array of samples.
///
/// Blocks are delivered in order. A block that does not begin where the previous one ended follows a gap. Blocks after
/// a gap may have another format. The sequence ends with the audio, and throws if the source fails; blocks that were
/// delivered before the error are valid. A source can be read once.
public protocol AudioSource: AsyncSequence, Sendable where Element == AudioBlock, Failure == any Error {
    /// The expected duration of the audio, for progress bars only; `nil` if it is not known.
    var expectedDuration: MediaTime? { get }
}

extension AudioSource {
    /// Always `nil`. The default for sources that do not know their duration.
    public var expectedDuration: MediaTime? { nil }
}
