public import Foundation

/// A piece with all its parts, for a file with the suffix `earpiece` or for a folder.
///
/// A ``PiecePackageWriter`` writes it, and a ``PiecePackageReader`` reads it.
public struct PiecePackage: Hashable, Sendable {
    /// The file extension, without the dot.
    public static let fileExtension = "earpiece"
    /// The media type in HTTP.
    public static let mediaType = "application/vnd.earshot.piece+zip"

    /// The largest audio file, in bytes: twenty minutes in two channels at 96 kHz with 32 bits are 922 million.
    public static let maximumSoundSize = 1_000_000_000
    /// The largest cover, in bytes.
    public static let maximumCoverSize = 20_000_000
    /// The largest manifest, in bytes.
    public static let maximumManifestSize = 1 << 20
    /// The largest package, packed and unpacked, in bytes: the limit of a ZIP file without ZIP64.
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
    /// The author; `nil` if unknown.
    public var author: String?
    /// The identifier of the piece at a service; `nil` if it was not published.
    public var id: PieceID?
    /// The time of publication; `nil` if it was not published.
    public var createdAt: Date?
    /// The mix, which an app uses in its timeline.
    public var mix: PackagedAudio
    /// The stems except the mix, each with a unique name.
    public var stems: [PieceStem]
    /// The preview for listeners; `nil` to use the mix.
    public var preview: PackagedAudio?
    /// The cover; `nil` if there is none.
    public var cover: CoverImage?
    /// The attached file; `nil` if there is none.
    public var attachment: AttachmentBundle?

    /// Creates a piece with its parts. A ``PiecePackageWriter`` reports faults in them.
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
