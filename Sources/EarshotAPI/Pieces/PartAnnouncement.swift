package import EarshotPieces

/// A part of a piece that a client will upload: an audio file, cover or attachment.
package struct PartAnnouncement: Hashable, Sendable, Codable {
    /// The kind of the part.
    package var kind: PartKind
    /// The name of a stem other than the mix; `nil` for other parts.
    package var name: String?
    /// The size of the part, in bytes.
    package var size: Int
    /// The SHA-256 digest of the part, as 64 hexadecimal digits in lower case.
    package var sha256: String
    /// The audio format; `nil` for a cover or an attachment.
    package var format: StemFormat?
    /// The file name of an attachment, without folders; `nil` for other parts.
    package var fileName: String?
    /// The media type of an attachment, such as `application/octet-stream`; `nil` for other parts.
    package var mediaType: String?

    /// Creates an announcement.
    package init(
        kind: PartKind,
        name: String? = nil,
        size: Int,
        sha256: String,
        format: StemFormat? = nil,
        fileName: String? = nil,
        mediaType: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.size = size
        self.sha256 = sha256
        self.format = format
        self.fileName = fileName
        self.mediaType = mediaType
    }
}

/// The progress of the upload of a part: the response to `PUT` and `GET /v1/uploads/{id}`.
package struct UploadState: Hashable, Sendable, Codable, Identifiable {
    /// The identifier of the upload.
    package var id: String
    /// The kind of the part.
    package var kind: PartKind
    /// The name of a stem other than the mix; `nil` for other parts.
    package var name: String?
    /// The size of the whole part, in bytes.
    package var size: Int
    /// The number of bytes received; the upload continues at this offset.
    package var received: Int
    /// `true` if all bytes were received and match the announced digest.
    package var isComplete: Bool

    /// Creates a state.
    package init(id: String, kind: PartKind, name: String? = nil, size: Int, received: Int, isComplete: Bool) {
        self.id = id
        self.kind = kind
        self.name = name
        self.size = size
        self.received = received
        self.isComplete = isComplete
    }
}

/// The response to the request that begins a drop (the publication of a piece).
package struct PieceCreated: Hashable, Sendable, Codable {
    /// The identifier that the piece will have.
    package var id: PieceID
    /// The uploads for the parts, in the order in which the parts were announced.
    package var uploads: [UploadState]
    /// Warnings about a valid draft.
    package var warnings: [DraftWarning]

    /// Creates a response.
    package init(id: PieceID, uploads: [UploadState], warnings: [DraftWarning] = []) {
        self.id = id
        self.uploads = uploads
        self.warnings = warnings
    }
}
