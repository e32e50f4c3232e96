public import EarshotCore

/// The limits of storage for pieces. A pure value: stores check it in the step that adds or changes a piece.
public struct PieceLimits: Hashable, Sendable {
    /// The largest number of an author's unpublished pieces; `nil` for no limit.
    public var drafts: Int?
    /// The largest size of all pieces of an author, in bytes; `nil` for no limit.
    public var authorBytes: Int?
    /// The largest size of all pieces together, in bytes; `nil` for no limit.
    public var totalBytes: Int?
    /// The largest number of bytes of all authors that are announced and not yet complete; `nil` for no limit.
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

    /// Checks a usage against the limits.
    ///
    /// Announcing costs nothing, so one author could announce all that is allowed. An author whose announced bytes are
    /// within an equal share is therefore always admitted.
    ///
    /// - Parameter usage: The usage including the addition.
    /// - Throws: `quotaExceeded` for the limits of an author; `writeFailed` for those of all pieces together.
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
