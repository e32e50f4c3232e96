/// A part of a piece in a service, with its announced values and its state.
public struct StoredPart: Hashable, Sendable, Codable, Identifiable {
    /// The identifier of the upload and of the file.
    public let id: String
    /// The kind of part.
    public let kind: PartKind
    /// The name of a stem; `nil` for the mix and for other parts.
    public let name: String?
    /// The size, in bytes.
    public let size: Int
    /// The SHA-256 digest of its bytes, as 64 lowercase hexadecimal digits.
    public let sha256: String
    /// The audio format; `nil` for a part without audio.
    public let format: StemFormat?
    /// The name of an attachment, without folders; `nil` for other parts.
    public let fileName: String?
    /// The media type in HTTP.
    public let mediaType: String
    /// `true` if all bytes have arrived and match the announcement.
    public var isComplete: Bool
    /// The name of the object store that has it in addition to the service's folder; `nil` if only the folder has it.
    public var keptIn: String?

    /// Creates a part.
    public init(
        id: String,
        kind: PartKind,
        name: String? = nil,
        size: Int,
        sha256: String,
        format: StemFormat? = nil,
        fileName: String? = nil,
        mediaType: String,
        isComplete: Bool = false,
        keptIn: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.size = size
        self.sha256 = sha256
        self.format = format
        self.fileName = fileName
        self.mediaType = mediaType
        self.isComplete = isComplete
        self.keptIn = keptIn
    }
}
