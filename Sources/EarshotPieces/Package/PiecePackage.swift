public import Foundation

/// A piece with all its parts, as it goes into a file with the suffix `earpiece`, or into a folder.
///
/// A ``PiecePackageWriter`` writes it, a ``PiecePackageReader`` reads it.
public struct PiecePackage: Hashable, Sendable {
    /// The file extension, without the dot.
    public static let fileExtension = "earpiece"
    /// The media type in HTTP.
    public static let mediaType = "application/vnd.earshot.piece+zip"

    /// The largest audio file, in bytes: twenty minutes in two channels at 96 kHz with 32 bits are 922 million.
    public static let maximumSoundSize = 1_000_000_000
    /// The most bytes of a cover.
    public static let maximumCoverSize = 20_000_000
    /// The most bytes of the manifest.
    public static let maximumManifestSize = 1 << 20
    /// The most bytes of a package, packed and unpacked: what a ZIP file holds without extension.
    public static let maximumSize = 4_000_000_000
    /// The highest ratio of the unpacked size to the size of a package, for packages that unpack to more than
    /// ``freeSize``.
    public static let highestRatio = 100
    /// The unpacked size that is allowed for any package, in bytes.
    public static let freeSize = 64 << 20

    /// The title and the other details of the piece.
    public var draft: PieceDraft
    /// The author's description.
    public var description: String
    /// The author.
    public var author: String?
    /// The identifier of the piece at a service, if it was published.
    public var id: PieceID?
    /// The time of publication.
    public var createdAt: Date?
    /// The mix, which an app uses in its timeline.
    public var mix: PackagedAudio
    /// Stems besides it, each with a name of its own.
    public var stems: [PieceStem]
    /// The preview for listeners.
    public var preview: PackagedAudio?
    /// The picture.
    public var cover: CoverImage?
    /// The file that travels along.
    public var attachment: AttachmentBundle?

    /// Creates a piece with its parts. Faults in them are reported when it is written.
    public init(
        draft: PieceDraft,
        description: String = "",
        author: String? = nil,
        id: PieceID? = nil,
        createdAt: Date? = nil,
        mix: PackagedAudio,
        stems: [PieceStem] = [],
        preview: PackagedAudio? = nil,
        cover: CoverImage? = nil,
        attachment: AttachmentBundle? = nil
    ) {
        self.draft = draft
        self.description = description
        self.author = author
        self.id = id
        self.createdAt = createdAt
        self.mix = mix
        self.stems = stems
        self.preview = preview
        self.cover = cover
        self.attachment = attachment
    }
}
