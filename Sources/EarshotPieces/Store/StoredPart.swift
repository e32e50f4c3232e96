/// A part of a piece in a service: its announcement, and its state.
public struct StoredPart: Hashable, Sendable, Codable, Identifiable {
    /// Names the upload, and the file.
    public let id: String
    /// The kind of part.
    public let kind: PartKind
    /// The name of a stem; `nil` for the mix and for other parts.
    public let name: String?
    /// The number of bytes.
    public let size: Int
    /// The SHA-256 digest of its bytes, as 64 hexadecimal digits in lower case.
    public let sha256: String
    /// The audio format; `nil` for a part without audio.
    public let format: StemFormat?
    /// The name of an attachment, without folders.
    public let fileName: String?
    /// The media type in HTTP.
    public let mediaType: String
    /// `true` if all bytes have arrived and match the announcement.
    public var isComplete: Bool
    /// The object store that has it besides the service's folder; `nil` if the folder alone has it.
    public var keptIn: String?

    /// A part.
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
