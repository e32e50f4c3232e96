public import EarshotCore

/// A preview of an export.
public struct ExportPlan: Hashable, Sendable {
    /// Something of the source that the result will not have.
    public enum Loss: Hashable, Sendable, CustomStringConvertible {
        /// Encoded packets are decoded, and the result has to be encoded anew or kept as samples.
        case decoded(codec: String)
        /// The result's own encoding leaves something out.
        case encoded(AudioEncoding.Kind)
        /// Fewer channels, mixed from those of the source.
        case channels(from: Int, to: Int)
        /// Fewer frames a second, in hertz.
        case sampleRate(from: Int, to: Int)
        /// Fewer bits a sample.
        case bits(from: Int, to: Int)
        /// The kind of file has no chapters.
        case chapters(Int)
        /// The kind of file has no pictures.
        case pictures(Int)
        /// The kind of file has no tags.
        case tags(Int)
        /// Items of the tags that the kind of file has no place for, by their names in the source: `POPM`.
        case items([String])

        /// In words, for people.
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

    /// The kind of file.
    public let type: FileType
    /// The encoding, with all settings resolved.
    public let encoding: AudioEncoding
    /// Frames a second of the result, in hertz.
    public let sampleRate: Int
    /// Channels of the result.
    public let channelCount: Int
    /// The duration of the result; indefinite if it is not known.
    public let duration: MediaTime
    /// The properties of the source that the result does not keep.
    public let losses: [Loss]
}
