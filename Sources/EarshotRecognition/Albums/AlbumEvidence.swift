/// The kinds of evidence by which files are assigned to albums. Each can be left out.
public struct AlbumEvidence: OptionSet, Hashable, Sendable {
    /// The kinds as a bit set.
    public let rawValue: Int

    /// Creates a set of kinds from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The signature of the beginning of the file's audio.
    public static let sound = AlbumEvidence(rawValue: 1)
    /// The texts and numbers in the tags of the file.
    public static let tags = AlbumEvidence(rawValue: 2)
    /// Music identifiers in the file, or known from earlier decisions.
    public static let identifiers = AlbumEvidence(rawValue: 4)
    /// The name of the file and of its folders.
    public static let names = AlbumEvidence(rawValue: 8)

    /// The Chromaprint fingerprint of the whole file. Without this and ``sound`` no file is decoded.
    public static let fingerprints = AlbumEvidence(rawValue: 16)

    /// All kinds of evidence. This is the default.
    public static let all: AlbumEvidence = [.sound, .tags, .identifiers, .names, .fingerprints]

    /// All kinds of evidence with their names in requests and commands.
    public static let named: [(name: String, evidence: AlbumEvidence)] = [
        ("sound", .sound), ("fingerprints", .fingerprints), ("tags", .tags), ("identifiers", .identifiers),
        ("names", .names),
    ]
}
