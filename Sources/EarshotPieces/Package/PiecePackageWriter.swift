public import EarshotCore
public import Foundation

/// Writes a piece with all its parts to a file or a folder.
///
/// All parts are read once when the writer is created, for their digests, and again when they are written. So files of
/// any size need little memory. The same piece always gives the same bytes. All functions block.
public struct PiecePackageWriter: Sendable {
    /// The manifest of the package.
    public let manifest: PieceManifest

    private struct Source: Sendable {
        let part: PiecePart
        let content: PieceContent
        let checksum: UInt32
    }

    private let sources: [Source]
    private let manifestBytes: [UInt8]

    /// Reads the parts of a piece and creates a writer.
    ///
    /// - Throws: `pieceInvalid` for audio whose first bytes do not match its format or that is too large, and for
    ///   invalid names; `attachmentTooLarge`; `assetNotFound`, `assetUnreadable` and `readFailed` for files.
    public init(_ package: PiecePackage) throws(EarshotError) {
        let fault = PackageFault(name: "The piece \(PackageFault.quoted(package.draft.title))")
        var parts = [try Self.source(package.mix, kind: .stem, fault)]
        if let preview = package.preview { parts.append(try Self.source(preview, kind: .preview, fault)) }
        if let cover = package.cover {
            let content = PieceContent.bytes(cover.bytes)
            parts.append(try Self.source(content, kind: .cover, mediaType: cover.format.mediaType))
        }
        if let attachment = package.attachment {
            parts.append(
                try Self.source(
                    .bytes(attachment.bytes),
                    kind: .attachment,
                    mediaType: attachment.mediaType,
                    originalName: attachment.fileName
                )
            )
        }
        var stems: [Source] = []
        for stem in package.stems {
            guard PieceStem.isName(stem.name) else {
                throw fault.invalid("the stem \(PackageFault.quoted(stem.name)) cannot be the name of a file")
            }
            stems.append(try Self.source(stem.sound, kind: .stem, name: stem.name, fault))
        }
        manifest = PieceManifest(package, parts: parts.map(\.part), stems: stems.map(\.part))
        _ = try manifest.checked(fault)
        sources = parts + stems
        manifestBytes = try manifest.bytes()
        guard manifestBytes.count <= PiecePackage.maximumManifestSize else {
            throw fault.invalid("its description takes more than \(PiecePackage.maximumManifestSize) bytes")
        }
        guard sources.reduce(manifestBytes.count, { $0 + $1.part.size }) <= PiecePackage.maximumSize - 1 << 20 else {
            throw fault.invalid("its parts have more than \(PiecePackage.maximumSize) bytes together")
        }
    }

    // MARK: - Writing

    /// Writes the package to a file that appears complete or not at all.
    ///
    /// - Parameters:
    ///   - destination: The file to write.
    ///   - replacing: `true` to replace an existing file.
    /// - Throws: `destinationExists`; `writeFailed`; `fileChanged` if a part has changed since the writer was created.
    public func write(to destination: URL, replacing: Bool = false) throws(EarshotError) {
        if !replacing, FileManager.default.fileExists(atPath: destination.path) {
            throw AtomicFile.exists(destination)
        }
        let file = try AtomicFile(destination)
        try write(into: file)
        try file.commit(replacing: replacing)
    }

    /// Returns the package in memory.
    ///
    /// - Throws: `fileChanged` if a part has changed since the writer was created.
    public func bytes() throws(EarshotError) -> Data {
        let sink = MemorySink()
        try write(into: sink)
        return sink.data
    }

    /// Writes the same files to a folder that appears complete or not at all.
    ///
    /// - Parameter folder: The folder, which must not exist.
    /// - Throws: `destinationExists`; `writeFailed`; `fileChanged` if a part has changed since the writer was created.
    public func write(toFolder folder: URL) throws(EarshotError) {
        let staged = try StagedFolder(folder)
        try staged.write(PlainReader(PackageBytes(Data(manifestBytes))), to: PieceManifest.fileName)
        for source in sources { try staged.write(try Self.reader(source), to: source.part.file) }
        try staged.commit()
    }

    private func write(into sink: any PackageSink) throws(EarshotError) {
        var zip = ZipWriter(sink)
        var digest = PartDigest()
        digest.update(manifestBytes)
        try zip.begin(PieceManifest.fileName, size: manifestBytes.count, checksum: digest.zipChecksum)
        try zip.write(manifestBytes)
        for source in sources {
            try zip.begin(source.part.file, size: source.part.size, checksum: source.checksum)
            let reader = try Self.reader(source)
            while let piece = try reader.next() { try zip.write(piece) }
        }
        try zip.finish()
    }

    // MARK: - Parts

    private static func source(
        _ sound: PackagedAudio,
        kind: PartKind,
        name: String? = nil,
        _ fault: PackageFault
    ) throws(EarshotError) -> Source {
        let bytes = try open(sound.content)
        guard StemFormat(beginOf: try bytes.read(at: 0, count: min(512, bytes.count))) == sound.format else {
            throw fault.invalid("sound that is said to be \(sound.format.rawValue) begins as something else")
        }
        return try source(
            sound.content,
            kind: kind,
            name: name,
            format: sound.format,
            mediaType: sound.format.mediaType,
            originalName: sound.fileName
        )
    }

    private static func source(
        _ content: PieceContent,
        kind: PartKind,
        name: String? = nil,
        format: StemFormat? = nil,
        mediaType: String,
        originalName: String? = nil
    ) throws(EarshotError) -> Source {
        let reader = PlainReader(try open(content))
        var digest = PartDigest()
        while let piece = try reader.next() { digest.update(piece) }
        let part = PiecePart(
            kind: kind,
            name: name,
            size: digest.size,
            sha256: digest.sha256,
            format: format,
            mediaType: mediaType,
            originalName: originalName
        )
        return Source(part: part, content: content, checksum: digest.zipChecksum)
    }

    private static func open(_ content: PieceContent) throws(EarshotError) -> PackageBytes {
        switch content {
        case .bytes(let data): PackageBytes(data)
        case .file(let url): try PackageBytes(url)
        }
    }

    private static func reader(_ source: Source) throws(EarshotError) -> UnchangedReader {
        UnchangedReader(PlainReader(try open(source.content)), as: source.part)
    }
}

/// Reads a part and checks that it still has the digest that was computed.
private final class UnchangedReader: ByteChunkSource {
    private let reader: PlainReader
    private let part: PiecePart
    private var digest = PartDigest()

    init(_ reader: PlainReader, as part: PiecePart) {
        self.reader = reader
        self.part = part
    }

    func next() throws(EarshotError) -> [UInt8]? {
        let piece = try reader.next()
        if let piece { digest.update(piece) }
        guard piece == nil ? digest.sha256 == part.sha256 : digest.size <= part.size else {
            throw EarshotError(
                .fileChanged,
                "\(part.originalName ?? part.file) changed while it was packed: pack it again once it is done."
            )
        }
        return piece
    }
}
