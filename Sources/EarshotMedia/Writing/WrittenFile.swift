public import EarshotCore
public import Foundation

/// A file that has been written.
public struct WrittenFile: Hashable, Sendable {
    /// The address of the file; `nil` if it was written to a file descriptor.
    public let url: URL?
    /// The type of the file.
    public let type: FileType
    /// The size of the file, in bytes.
    public let byteCount: Int64
    /// The number of audio frames; 0 if packets were copied.
    public let frameCount: Int64
    /// The duration of the audio in the file.
    public let duration: MediaTime
    /// The difference between the duration that the source declares and the duration of its audio; `nil` if there is
    /// none, or only a part was read.
    public internal(set) var durationMismatch: DurationMismatch?
    /// The names of tags that the plan did not foresee and the file could not hold.
    public internal(set) var droppedTags: [String] = []
}
