/// A picture in the tags of a file.
public struct TagPicture: Hashable, Sendable {
    /// The kind of a picture. The raw values are the numbers of ID3v2 and FLAC.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// A picture of another kind.
        case other
        /// A file icon of 32 by 32 pixels.
        case fileIcon
        /// A file icon of another size.
        case otherFileIcon
        /// The front of the cover.
        case frontCover
        /// The back of the cover.
        case backCover
        /// A page of the booklet.
        case leaflet
        /// The label side of the medium, such as the disc.
        case media
        /// The lead artist, performer or soloist.
        case leadArtist
        /// Another artist or performer.
        case artist
        /// The conductor.
        case conductor
        /// The band or orchestra.
        case band
        /// The composer.
        case composer
        /// The lyricist.
        case lyricist
        /// The recording location.
        case recordingLocation
        /// The artists during the recording.
        case duringRecording
        /// The artists during a performance.
        case duringPerformance
        /// A frame of a film or video.
        case screenCapture
        /// A bright colored fish, a kind that ID3v2 defines.
        case fish
        /// An illustration.
        case illustration
        /// The logo of the artist or band.
        case artistLogo
        /// The logo of the publisher or studio.
        case publisherLogo
    }

    /// The kind of picture. MP4 tags contain only covers, all of the kind ``Kind/frontCover``.
    public var kind: Kind
    /// The MIME type of the picture, for example `image/jpeg`; empty if it is not known.
    public var mimeType: String
    /// A description of the picture. MP4 does not store it.
    public var text: String
    /// The encoded bytes of the picture file.
    public var bytes: [UInt8]

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - kind: The kind of picture.
    ///   - bytes: The encoded bytes of the picture file.
    ///   - mimeType: The MIME type; `nil` to detect it from the bytes.
    ///   - text: A description of the picture.
    public init(kind: Kind = .frontCover, bytes: [UInt8], mimeType: String? = nil, text: String = "") {
        self.kind = kind
        self.bytes = bytes
        self.mimeType = mimeType ?? (try? PictureHeader(of: bytes))?.mimeType ?? ""
        self.text = text
    }
}
