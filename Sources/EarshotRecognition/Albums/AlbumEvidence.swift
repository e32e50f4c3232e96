/// The kinds of evidence by which files are assigned to albums. Each can be left out.
public struct AlbumEvidence: OptionSet, Hashable, Sendable {
    /// The kinds as bits.
    public let rawValue: Int

    /// Kinds from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The signature of the beginning of the file.
    public static let sound = AlbumEvidence(rawValue: 1)
    /// The text and numbers in its tags.
    public static let tags = AlbumEvidence(rawValue: 2)
    /// Identifiers in it, or known of it.
    public static let identifiers = AlbumEvidence(rawValue: 4)
    /// Its name and those of its folders.
    public static let names = AlbumEvidence(rawValue: 8)

    /// The Chromaprint fingerprint of the whole file. Without this and ``sound`` no file is decoded.
    public static let fingerprints = AlbumEvidence(rawValue: 16)

    /// All evidence. This is the default.
    public static let all: AlbumEvidence = [.sound, .tags, .identifiers, .names, .fingerprints]

    /// The kinds by the names that users write.
    public static let named: [(name: String, evidence: AlbumEvidence)] = [
        ("sound", .sound), ("fingerprints", .fingerprints), ("tags", .tags), ("identifiers", .identifiers),
        ("names", .names),
    ]
}
