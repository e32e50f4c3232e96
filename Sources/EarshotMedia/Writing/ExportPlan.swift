public import EarshotCore

/// The properties of the file that an export will produce.
public struct ExportPlan: Hashable, Sendable {
    /// A property of the source that the result does not keep.
    public enum Loss: Hashable, Sendable, CustomStringConvertible {
        /// Encoded packets of this codec are decoded, and encoded again or stored as samples.
        case decoded(codec: String)
        /// The encoding of the result is lossy.
        case encoded(AudioEncoding.Kind)
        /// Fewer channels, mixed from those of the source.
        case channels(from: Int, to: Int)
        /// A lower sample rate, in hertz.
        case sampleRate(from: Int, to: Int)
        /// Fewer bits per sample.
        case bits(from: Int, to: Int)
        /// This number of chapters, because the file type does not support them.
        case chapters(Int)
        /// This number of pictures, because the file type does not support them.
        case pictures(Int)
        /// This number of tags, because the file type does not support them.
        case tags(Int)
        /// Items of the tags that the file type does not support, by their names in the source, such as `POPM`.
        case items([String])

        /// The loss as a short text for people.
        public var description: String {
            switch self {
            case .decoded(let codec): "\(codec) is decoded"
            case .encoded(let kind): "\(kind.rawValue) leaves out what is hard to hear"
            case .channels(let from, let to): "\(from) channels are mixed into \(to)"
            case .sampleRate(let from, let to): "\(from) Hz become \(to) Hz"
            case .bits(let from, let to): "\(from) bits become \(to)"
            case .chapters(let count): count == 1 ? "1 chapter is left out" : "\(count) chapters are left out"
            case .pictures(let count): count == 1 ? "1 picture is left out" : "\(count) pictures are left out"
            case .tags(let count): count == 1 ? "1 tag is left out" : "\(count) tags are left out"
            case .items(let names):
                "\(names.joined(separator: ", ")) of the tags \(names.count == 1 ? "is" : "are") left out"
            }
        }
    }

    /// The file type of the result.
    public let type: FileType
    /// The encoding, with all settings resolved.
    public let encoding: AudioEncoding
    /// The sample rate of the result, in hertz.
    public let sampleRate: Int
    /// The number of channels of the result.
    public let channelCount: Int
    /// The duration of the result; indefinite if it is not known.
    public let duration: MediaTime
    /// The properties of the source that the result does not keep.
    public let losses: [Loss]
}
