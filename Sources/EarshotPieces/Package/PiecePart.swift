import Foundation

/// A file of a package, as described in its manifest.
public struct PiecePart: Hashable, Sendable, Codable {
    /// The kind of part. The stem without a name is the mix.
    public let kind: PartKind
    /// The name of a stem; `nil` for the mix and for other parts.
    public let name: String?
    /// The path in the package, which follows from the other fields.
    public let file: String
    /// The size, in bytes.
    public let size: Int
    /// The SHA-256 digest of its bytes, as 64 lowercase hexadecimal digits.
    public let sha256: String
    /// The audio format; `nil` for a file without audio.
    public let format: StemFormat?
    /// The media type of the file, such as `audio/wav`.
    public let mediaType: String
    /// The original file name, before packaging; `nil` if unknown.
    public let originalName: String?

    init(
        kind: PartKind,
        name: String? = nil,
        size: Int,
        sha256: String,
        format: StemFormat? = nil,
        mediaType: String,
        originalName: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.size = size
        self.sha256 = sha256
        self.format = format
        self.mediaType = mediaType
        self.originalName = originalName
        file =
            Self.place(kind: kind, name: name, format: format, mediaType: mediaType, originalName: originalName) ?? ""
    }

    /// Returns the path of a part in a package; `nil` if a package cannot contain it.
    private static func place(
        kind: PartKind,
        name: String?,
        format: StemFormat?,
        mediaType: String,
        originalName: String?
    ) -> String? {
        switch kind {
        case .stem:
            guard let format else { return nil }
            guard let name else { return "stem.\(format.fileExtension)" }
            return PieceStem.isName(name) ? "stems/\(name).\(format.fileExtension)" : nil
        case .preview: return format.map { "preview.\($0.fileExtension)" }
        case .cover:
            switch mediaType {
            case CoverImage.Format.png.mediaType: return "cover.png"
            case CoverImage.Format.jpeg.mediaType: return "cover.jpg"
            default: return nil
            }
        case .attachment:
            return originalName.flatMap { AttachmentBundle.isFileName($0) ? "attachment/\($0)" : nil }
        }
    }

    /// The largest size, in bytes.
    var maximumSize: Int {
        switch kind {
        case .stem, .preview: PiecePackage.maximumSoundSize
        case .cover: PiecePackage.maximumCoverSize
        case .attachment: AttachmentBundle.maximumSize
        }
    }

    /// The fault of the part, as a clause; `nil` for a valid part.
    var fault: String? {
        let shown = PackageFault.quoted(file)
        guard
            file
                == Self.place(kind: kind, name: name, format: format, mediaType: mediaType, originalName: originalName),
            kind == .stem || name == nil
        else { return "the part \(shown) is not where its kind, name and format put it" }
        guard size >= 0 else { return "the part \(shown) has a size below zero" }
        let isDigest =
            sha256.utf8.count == 64
            && sha256.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
        guard isDigest else { return "the digest of \(shown) is not 64 hexadecimal digits in lower case" }
        if let format, mediaType != format.mediaType {
            return "the media type of \(shown) is not that of its format"
        }
        if kind == .cover || kind == .attachment, format != nil { return "\(shown) is no sound, and has a format" }
        let isText = [mediaType, originalName ?? "-"].allSatisfy { text in
            (1...255).contains(text.utf8.count)
                && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return isText ? nil : "the media type or the name of \(shown) is empty, too long, or has control characters"
    }
}

extension CoverImage.Format {
    /// The media type in HTTP.
    var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        }
    }
}
