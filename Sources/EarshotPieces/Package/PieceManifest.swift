import EarshotCore
public import Foundation

/// The manifest of a package, which is its first file.
public struct PieceManifest: Hashable, Sendable {
    /// The name of the file.
    public static let fileName = "manifest.json"
    /// The format name of every manifest.
    public static let format = "earshot-piece"
    /// The version that is written, and the only one that is read.
    public static let version = 1

    /// The title and the other details of the piece.
    public let draft: DraftForm
    /// The author's description.
    public let description: String
    /// The author; `nil` if unknown.
    public let author: String?
    /// The identifier of the piece at a service; `nil` if it was not published.
    public let id: PieceID?
    /// The time of publication; `nil` if it was not published.
    public let createdAt: Date?
    /// The mix, and the preview, cover and attachment if there are any.
    public let parts: [PiecePart]
    /// The stems except the mix.
    public let stems: [PiecePart]

    init(_ package: PiecePackage, parts: [PiecePart], stems: [PiecePart]) {
        draft = DraftForm(package.draft)
        description = package.description
        author = package.author
        id = package.id
        createdAt = package.createdAt
        self.parts = parts
        self.stems = stems
    }

    /// All files except the manifest, in order.
    public var files: [PiecePart] { parts + stems }

    /// Returns the part of a kind, for stems the mix; `nil` if there is none.
    public func part(_ kind: PartKind) -> PiecePart? { parts.first { $0.kind == kind } }

    // MARK: - Bytes

    /// Decodes a manifest.
    ///
    /// - Throws: `pieceInvalid` if the manifest is malformed, or has another format or version.
    init(_ bytes: [UInt8], _ fault: PackageFault) throws(EarshotError) {
        let data = Data(bytes)
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            throw fault.invalid("its manifest is no JSON object with a format and a version")
        }
        guard head.format == Self.format else {
            throw fault.invalid("its manifest is of the format \(PackageFault.quoted(head.format)), not \(Self.format)")
        }
        guard head.version == Self.version else {
            throw fault.invalid(
                "it has version \(head.version) of the format, and version \(Self.version) is known here: use a newer program"
            )
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw fault.invalid("its manifest cannot be read (\(Self.reason(error)))")
        }
    }

    /// Returns the bytes of the file, which are the same for equal manifests.
    func bytes() throws(EarshotError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder.sorted().encode(self))
        } catch {
            throw EarshotError(.pieceInvalid, "The piece cannot be written as JSON: check its numbers.", cause: error)
        }
    }

    /// Checks all rules of the manifest and returns its draft.
    ///
    /// - Throws: `stemMissing` without a mix; `attachmentTooLarge`; `pieceInvalid` for any other fault. For a draft
    ///   with several faults the message lists them all.
    func checked(_ fault: PackageFault) throws(EarshotError) -> PieceDraft {
        for file in files {
            if let reason = file.fault { throw fault.invalid(reason) }
            guard file.size <= file.maximumSize else {
                guard file.kind != .attachment else {
                    throw EarshotError(
                        .attachmentTooLarge,
                        "The attachment of \(fault.name) has \(file.size) bytes: \(file.maximumSize) are allowed."
                    )
                }
                throw fault.invalid(
                    "\(PackageFault.quoted(file.file)) has \(file.size) bytes, and \(file.maximumSize) are allowed"
                )
            }
        }
        guard part(.stem) != nil else {
            throw EarshotError(.stemMissing, "\(fault.name) has no mix stem: add one.")
        }
        guard Set(parts.map(\.kind)).count == parts.count, parts.allSatisfy({ $0.name == nil }) else {
            throw fault.invalid("its manifest names two parts of one kind")
        }
        guard stems.count <= PieceStem.most, stems.allSatisfy({ $0.kind == .stem && $0.name != nil }),
            Set(stems.map { PieceStem.folded($0.name ?? "") }).count == stems.count
        else {
            throw fault.invalid("its stems have no names, or one twice, or are more than \(PieceStem.most)")
        }
        var form = draft
        form.id = id
        do {
            return try form.draft()
        } catch {
            throw EarshotError(
                .pieceInvalid,
                "\(fault.name) describes a piece that is not valid. "
                    + error.violations.map(\.reason).joined(separator: " "),
                cause: error
            )
        }
    }

    private struct Head: Decodable {
        let format: String
        let version: Int
    }

    /// Returns the position of a fault in the manifest, as text.
    private static func reason(_ error: any Error) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context), .typeMismatch(_, let context):
            return "\(place(context.codingPath)) is of another type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "it is no JSON" : "\(place(context.codingPath)) cannot be so"
        default: return "it is no JSON"
        }
    }
}

extension PieceManifest: Codable {
    private enum Keys: String, CodingKey {
        case format, version, piece, description, author, id, createdAt, parts, stems
    }

    /// Decodes a manifest; unknown fields are ignored.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        draft = try values.decode(DraftForm.self, forKey: .piece)
        description = try values.decodeIfPresent(String.self, forKey: .description) ?? ""
        author = try values.decodeIfPresent(String.self, forKey: .author)
        id = try values.decodeIfPresent(PieceID.self, forKey: .id)
        createdAt = try values.decodeIfPresent(String.self, forKey: .createdAt).map { text in
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
            guard text.utf8.count <= 40, let date = try? style.parse(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .createdAt,
                    in: values,
                    debugDescription: "This is no date by ISO 8601."
                )
            }
            return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000).rounded() / 1_000)
        }
        parts = try values.decode([PiecePart].self, forKey: .parts)
        stems = try values.decodeIfPresent([PiecePart].self, forKey: .stems) ?? []
    }

    /// Encodes the manifest, with the format and its version. Missing values are omitted.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(Self.format, forKey: .format)
        try values.encode(Self.version, forKey: .version)
        try values.encode(draft, forKey: .piece)
        try values.encode(description, forKey: .description)
        try values.encodeIfPresent(author, forKey: .author)
        try values.encodeIfPresent(id, forKey: .id)
        if let createdAt {
            let milliseconds = (createdAt.timeIntervalSince1970 * 1_000).rounded()
            // The style truncates, and the value is seldom exact, so a little is added.
            let rounded = Date(timeIntervalSince1970: milliseconds / 1_000 + 0.000_2)
            let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1_000) != 0
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
            try values.encode(rounded.formatted(style), forKey: .createdAt)
        }
        try values.encode(parts, forKey: .parts)
        if !stems.isEmpty { try values.encode(stems, forKey: .stems) }
    }
}
