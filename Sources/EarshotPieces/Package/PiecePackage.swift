public import Foundation

/// A piece with all its parts, as it goes into a file with the suffix `earpiece`, or into a folder.
///
/// A ``PiecePackageWriter`` writes it, a ``PiecePackageReader`` reads it.
public struct PiecePackage: Hashable, Sendable {
    /// What the names of such files end with, without the dot.
    public static let fileExtension = "earpiece"
    /// What such files are called in HTTP.
    public static let mediaType = "application/vnd.earshot.piece+zip"

    /// The most bytes of one sound: twenty minutes in two channels at 96 kHz with 32 bits are 922 million.
    public static let maximumSoundSize = 1_000_000_000
    /// The most bytes of a cover.
    public static let maximumCoverSize = 20_000_000
    /// The most bytes of the manifest.
    public static let maximumManifestSize = 1 << 20
    /// The most bytes of a package, packed and unpacked: what a ZIP file holds without extension.
    public static let maximumSize = 4_000_000_000
    /// A package that unpacks to more than ``freeSize`` must not become more than so many times as large.
    public static let highestRatio = 100
    /// What a package may unpack to, however small it is.
    public static let freeSize = 64 << 20

    /// What is said of the piece.
    public var draft: PieceDraft
    /// What its author says of it.
    public var description: String
    /// Who made it.
    public var author: String?
    /// What a service knows it by, where it was published.
    public var id: PieceID?
    /// When it was published.
    public var createdAt: Date?
    /// The sound that an app puts on its timeline.
    public var mix: PackagedAudio
    /// Stems besides it, each with a name of its own.
    public var stems: [PieceStem]
    /// The sound that is played to people who look for pieces.
    public var preview: PackagedAudio?
    /// The picture.
    public var cover: CoverImage?
    /// The file that travels along.
    public var attachment: AttachmentBundle?

    /// A piece with its parts. What is wrong with them is told when it is written.
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
