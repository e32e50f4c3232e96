import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation

/// The rules for announcing the parts of a piece.
struct PartRules: Sendable {
    private let soundLimit: Int
    private let stemsLimit: Int

    init(_ settings: ServiceSettings) {
        soundLimit = settings.pieceLimit
        stemsLimit = settings.pieceStemsLimit
    }

    /// Returns the parts of an announcement, each with a new identifier.
    ///
    /// - Throws: `pieceInvalid` for an invalid part, `attachmentTooLarge`, `uploadTooLarge`.
    func parts(_ announced: [PartAnnouncement]) throws(EarshotError) -> [StoredPart] {
        let (single, stems) = (announced.filter { $0.name == nil }, announced.filter { $0.name != nil })
        guard Set(single.map(\.kind)).count == single.count, stems.allSatisfy({ $0.kind == .stem }) else {
            throw EarshotError(
                .pieceInvalid,
                "A piece has one part of each kind, and stems with names besides: announce each once."
            )
        }
        try PieceStem.check(names: stems.compactMap(\.name))
        var parts: [StoredPart] = []
        for part in announced { parts.append(try self.part(part)) }
        // Each size is within the limit of a stem, so the sum cannot overflow.
        let size = stems.reduce(0) { $0 + $1.size }
        guard size <= stemsLimit else {
            throw EarshotError(
                .uploadTooLarge,
                "The stems besides the mix have \(size) bytes together, and \(stemsLimit) are allowed: send fewer or shorter ones."
            )
        }
        return parts
    }

    private func part(_ part: PartAnnouncement) throws(EarshotError) -> StoredPart {
        let kind = part.kind.called(part.name)
        let isDigest =
            part.sha256.utf8.count == 64
            && part.sha256.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isDigest else {
            throw EarshotError(
                .pieceInvalid,
                "The digest of the \(kind) is malformed: give its SHA-256 digest as 64 hexadecimal digits in lower case."
            )
        }
        guard part.size >= (part.kind == .attachment ? 0 : 1) else {
            throw EarshotError(.pieceInvalid, "The \(kind) has no bytes: give its size.")
        }
        let mediaType: String
        switch part.kind {
        case .stem, .preview:
            guard let format = part.format else {
                throw EarshotError(
                    .pieceInvalid,
                    "The format of the \(kind) is missing: name one of wave, oggVorbis and aacM4A."
                )
            }
            try check(part, soundLimit)
            mediaType = format.mediaType
        case .cover:
            try check(part, PieceFiles.coverLimit)
            mediaType = ""
        case .attachment:
            guard part.size <= AttachmentBundle.maximumReceivedSize else {
                throw EarshotError(
                    .attachmentTooLarge,
                    "The attachment has \(part.size) bytes: \(AttachmentBundle.maximumReceivedSize) are allowed."
                )
            }
            // Checks the file name by the rules of the client library, which would refuse others when it downloads the piece.
            _ = try AttachmentBundle(fileName: part.fileName ?? "", bytes: .init())
            mediaType = part.mediaType ?? "application/octet-stream"
            guard Self.isMediaType(mediaType) else {
                throw EarshotError(
                    .pieceInvalid,
                    "\"\(mediaType.prefix(40))\" is no media type: name one such as application/octet-stream."
                )
            }
        }
        return StoredPart(
            id: Secrets.name(),
            kind: part.kind,
            name: part.name,
            size: part.size,
            sha256: part.sha256,
            format: part.kind == .stem || part.kind == .preview ? part.format : nil,
            fileName: part.kind == .attachment ? part.fileName : nil,
            mediaType: mediaType
        )
    }

    private func check(_ part: PartAnnouncement, _ limit: Int) throws(EarshotError) {
        guard part.size <= limit else {
            throw EarshotError(
                .uploadTooLarge,
                "The \(part.kind.called(part.name)) has \(part.size) bytes, and \(limit) are allowed: send a smaller one."
            )
        }
    }

    /// Returns `true` if a text is valid as a content type in a header.
    private static func isMediaType(_ text: String) -> Bool {
        func isToken(_ text: some Sequence<UInt8>) -> Bool {
            text.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$&^_.+-".utf8.contains(byte)
            }
        }
        guard text.utf8.count <= 127 else { return false }
        let essence = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        let parts = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && isToken($0) }
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
