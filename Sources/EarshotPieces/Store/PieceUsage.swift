/// The storage that pieces use, by the announced sizes.
public struct PieceUsage: Hashable, Sendable {
    /// The number of unpublished pieces of one author.
    public var drafts = 0
    /// The size of all parts of that author's pieces, in bytes.
    public var authorBytes = 0
    /// The size of the author's parts that are announced and not yet complete, in bytes.
    public var authorAnnounced = 0
    /// The size of all parts of all pieces, in bytes.
    public var totalBytes = 0
    /// The size of all authors' parts that are announced and not yet complete, in bytes.
    public var totalAnnounced = 0
    /// The number of authors with parts that are announced and not yet complete.
    public var announcers = 0

    /// Creates a usage of 0.
    public init() {}
}
