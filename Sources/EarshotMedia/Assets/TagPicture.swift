/// A picture in a file's tags.
public struct TagPicture: Hashable, Sendable {
    /// The kind of a picture, by the numbers of ID3v2 and FLAC.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Anything else.
        case other
        /// An icon of 32 by 32 pixels.
        case fileIcon
        /// Another icon.
        case otherFileIcon
        /// The front of the cover.
        case frontCover
        /// The back of the cover.
        case backCover
        /// A page of the booklet.
        case leaflet
        /// The label of the disc.
        case media
        /// The first artist or soloist.
        case leadArtist
        /// An artist.
        case artist
        /// The conductor.
        case conductor
        /// The band or orchestra.
        case band
        /// The composer.
        case composer
        /// The writer of the text.
        case lyricist
        /// The recording location.
        case recordingLocation
        /// The artists while they recorded.
        case duringRecording
        /// The artists while they performed.
        case duringPerformance
        /// A picture of a film.
        case screenCapture
        /// A bright colored fish.
        case fish
        /// An illustration.
        case illustration
        /// The sign of the artist.
        case artistLogo
        /// The sign of the publisher.
        case publisherLogo
    }

    /// The kind of picture. MP4 tags only have covers: each is a ``Kind/frontCover``.
    public var kind: Kind
    /// The type of the picture file, for example `image/jpeg`; empty when it is not known.
    public var mimeType: String
    /// A remark, which MP4 does not keep.
    public var text: String
    /// The picture file.
    public var bytes: [UInt8]

    /// A picture.
    ///
    /// - Parameters:
    ///   - kind: The kind of picture.
    ///   - bytes: The picture file.
    ///   - mimeType: Its type; found in the bytes if `nil`.
    ///   - text: A remark.
    public init(kind: Kind = .frontCover, bytes: [UInt8], mimeType: String? = nil, text: String = "") {
        self.kind = kind
        self.bytes = bytes
        self.mimeType = mimeType ?? (try? PictureHeader(of: bytes))?.mimeType ?? ""
        self.text = text
    }
}
