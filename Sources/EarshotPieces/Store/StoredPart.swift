/// A part of a piece as a service keeps it: what was announced, and whether it is there.
public struct StoredPart: Hashable, Sendable, Codable, Identifiable {
    /// Names the upload, and the file.
    public let id: String
    /// What it is for.
    public let kind: PartKind
    /// What a stem besides the mix is called; `nil` for all else.
    public let name: String?
    /// The number of bytes.
    public let size: Int
    /// The SHA-256 digest of its bytes, as 64 hexadecimal digits in lower case.
    public let sha256: String
    /// The format of sound.
    public let format: StemFormat?
    /// The name of an attachment, without folders.
    public let fileName: String?
    /// What it is, as HTTP calls it.
    public let mediaType: String
    /// `true` if all of it is there and is what was announced.
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
