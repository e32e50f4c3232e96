package import EarshotPieces

/// A part of a piece that will be sent.
package struct PartAnnouncement: Hashable, Sendable, Codable {
    /// The kind of the part.
    package var kind: PartKind
    /// The name of a stem other than the mix; `nil` for other parts.
    package var name: String?
    /// The number of bytes.
    package var size: Int
    /// The SHA-256 digest of its bytes, as 64 hexadecimal digits in lower case.
    package var sha256: String
    /// The format of sound.
    package var format: StemFormat?
    /// The name of an attachment, without folders.
    package var fileName: String?
    /// The media type of an attachment, such as `application/octet-stream`.
    package var mediaType: String?

    /// A part.
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

/// The progress of the upload of a part: the answer to `PUT` and `GET /v1/uploads/{id}`.
package struct UploadState: Hashable, Sendable, Codable, Identifiable {
    /// Names the upload.
    package var id: String
    /// The kind of the part.
    package var kind: PartKind
    /// The name of a stem other than the mix; `nil` for other parts.
    package var name: String?
    /// The size of the whole part, in bytes.
    package var size: Int
    /// The bytes that have arrived; the upload continues at this offset.
    package var received: Int
    /// `true` if all are there and have the digest that was announced.
    package var isComplete: Bool

    /// A state.
    package init(id: String, kind: PartKind, name: String? = nil, size: Int, received: Int, isComplete: Bool) {
        self.id = id
        self.kind = kind
        self.name = name
        self.size = size
        self.received = received
        self.isComplete = isComplete
    }
}

/// The answer of a service to the beginning of a drop.
package struct PieceCreated: Hashable, Sendable, Codable {
    /// The future identifier of the piece.
    package var id: PieceID
    /// The uploads for the parts, in the order in which the parts were announced.
    package var uploads: [UploadState]
    /// Warnings about the draft: legal, but worth a look.
    package var warnings: [DraftWarning]

    /// An answer.
    package init(id: PieceID, uploads: [UploadState], warnings: [DraftWarning] = []) {
        self.id = id
        self.uploads = uploads
        self.warnings = warnings
    }
}
