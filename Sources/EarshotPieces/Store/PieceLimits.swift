public import EarshotCore

/// The room that pieces may take. A pure value: stores apply it in the step that adds or changes a piece.
public struct PieceLimits: Hashable, Sendable {
    /// The most pieces of an author that are not published; `nil` for no limit.
    public var drafts: Int?
    /// The most bytes of all pieces of an author; `nil` for no limit.
    public var authorBytes: Int?
    /// The most bytes of all pieces together; `nil` for no limit.
    public var totalBytes: Int?
    /// The largest number of bytes announced and not yet complete, of all authors; `nil` for no limit.
    public var announcedBytes: Int?

    /// No limits.
    public static let unlimited = PieceLimits()

    /// Creates limits. Omitted values mean no limit.
    public init(drafts: Int? = nil, authorBytes: Int? = nil, totalBytes: Int? = nil, announcedBytes: Int? = nil) {
        self.drafts = drafts
        self.authorBytes = authorBytes
        self.totalBytes = totalBytes
        self.announcedBytes = announcedBytes
    }

    /// Refuses what takes more room than there may be.
    ///
    /// Announcing costs nothing, so one author could announce all that is allowed. An author whose announced bytes are
    /// within an equal share is therefore always admitted.
    ///
    /// - Parameter usage: The usage including the addition.
    /// - Throws: `quotaExceeded` for the limits of an author, `writeFailed` for those of all pieces together.
    public func check(_ usage: PieceUsage) throws(EarshotError) {
        if let drafts, usage.drafts > drafts {
            throw EarshotError(
                .quotaExceeded,
                "This author has \(drafts) drops under way, which is as many as may be: publish or remove one of them, or wait: what is "
                    + "not published is given up after a day."
            )
        }
        if let authorBytes, usage.authorBytes > authorBytes {
            throw EarshotError(
                .quotaExceeded,
                "The pieces of this author would have \(usage.authorBytes) bytes together, and \(authorBytes) are what an author has: "
                    + "remove some of them, or ask the operator for more."
            )
        }
        if let totalBytes, usage.totalBytes > totalBytes {
            throw EarshotError(
                .writeFailed,
                "All pieces of this service would have more than the \(totalBytes) bytes that they may have together: try again later, "
                    + "or ask the operator for more."
            )
        }
        if let announcedBytes, usage.totalAnnounced > announcedBytes,
            usage.authorAnnounced > announcedBytes / max(1, usage.announcers)
        {
            throw EarshotError(
                .writeFailed,
                "More than \(announcedBytes) bytes would be announced and not yet sent: send or remove what you have announced, or "
                    + "try again later."
            )
        }
    }
}
