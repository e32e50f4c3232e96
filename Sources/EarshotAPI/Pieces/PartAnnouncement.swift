package import EarshotPieces

/// A part of a piece that will be sent.
package struct PartAnnouncement: Hashable, Sendable, Codable {
    /// What it is for.
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
    /// What an attachment is, such as `application/octet-stream`.
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

/// How far a part has come: what `PUT` and `GET /v1/uploads/{id}` answer.
package struct UploadState: Hashable, Sendable, Codable, Identifiable {
    /// Names the upload.
    package var id: String
    /// What it is for.
    package var kind: PartKind
    /// The name of a stem other than the mix; `nil` for other parts.
    package var name: String?
    /// How many bytes it will have.
    package var size: Int
    /// How many are there: where to go on.
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

/// What a service answers to the begin of a drop.
package struct PieceCreated: Hashable, Sendable, Codable {
    /// What the piece will be known by.
    package var id: PieceID
    /// Where the parts go, in the order in which they were announced.
    package var uploads: [UploadState]
    /// What is legal about the draft, and worth a look.
    package var warnings: [DraftWarning]

    /// An answer.
    package init(id: PieceID, uploads: [UploadState], warnings: [DraftWarning] = []) {
        self.id = id
        self.uploads = uploads
        self.warnings = warnings
    }
}
