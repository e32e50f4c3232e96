/// The room that pieces take, by the sizes that were announced.
public struct PieceUsage: Hashable, Sendable {
    /// The number of pieces of one author that are not published.
    public var drafts = 0
    /// The bytes of all parts of that author's pieces.
    public var authorBytes = 0
    /// The bytes of the author's parts that are announced and not yet complete.
    public var authorAnnounced = 0
    /// The bytes of all parts of all pieces.
    public var totalBytes = 0
    /// The bytes of all authors' parts that are announced and not yet complete.
    public var totalAnnounced = 0
    /// The number of authors with parts that are announced and not yet complete.
    public var announcers = 0

    /// No room taken.
    public init() {}
}
