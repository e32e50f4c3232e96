public import EarshotCore
public import Foundation

/// A file that has been written.
public struct WrittenFile: Hashable, Sendable {
    /// Where it is; `nil` for a stream.
    public let url: URL?
    /// What kind of file it is.
    public let type: FileType
    /// Its size in bytes.
    public let byteCount: Int64
    /// Frames of sound in it; 0 where packets were copied.
    public let frameCount: Int64
    /// How long it lasts.
    public let duration: MediaTime
    /// The difference between the duration that the source declares and the length of its sound; `nil` if there is none, or only
    /// a part of it was read.
    public internal(set) var durationMismatch: DurationMismatch?
    /// The names of tags that the plan did not foresee and the file could not hold.
    public internal(set) var droppedTags: [String] = []
}
