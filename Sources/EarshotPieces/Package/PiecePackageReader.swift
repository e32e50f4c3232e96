public import EarshotCore
public import Foundation

/// Reads a piece from a package: a file with the suffix `earpiece`, its bytes, or a folder with the same files.
///
/// Creating a reader checks the whole package: the form of the file, the manifest, the draft, and for each part the
/// size, the SHA-256 digest and the first bytes. A part that is read later is checked against its digest again, so that
/// a change of the file causes an error. Packages may come from any source. Their contents are written only where the
/// caller says. All functions block except ``open(_:)`` and those of ``DropProviders``.
public struct PiecePackageReader: Sendable {
    private enum Container: Sendable {
        case archive(ZipArchive)
        case folder(URL)
    }

    /// The manifest of the package.
    public let manifest: PieceManifest
    /// The title and the other details of the piece.
    public let draft: PieceDraft

    private let container: Container
    private let fault: PackageFault

    /// Opens a package in a file or a folder.
    ///
    /// - Throws: `pieceInvalid` for a package that breaks a rule, which the message names; `stemMissing`,
    ///   `coverSizeInvalid` and `attachmentTooLarge` as for the parts of a draft; `assetNotFound`, `assetUnreadable`,
    ///   `readFailed`.
    public init(_ url: URL) throws(EarshotError) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            try self.init(folder: url)
        } else {
            try self.init(try PackageBytes(url))
        }
    }

    /// Opens a package in memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: The name of the package in errors.
    /// - Throws: The errors of opening a file.
    public init(_ bytes: Data, name: String = "The package") throws(EarshotError) {
        try self.init(PackageBytes(bytes, name: name))
    }

    /// Opens a package on a thread that may block.
    ///
    /// - Throws: The errors of ``init(_:)``.
    public static func open(_ url: URL) async throws(EarshotError) -> PiecePackageReader {
        try await BlockingWork.run { () throws(EarshotError) in try PiecePackageReader(url) }
    }

    private init(_ bytes: PackageBytes) throws(EarshotError) {
        let archive = try ZipArchive(bytes)
        let fault = bytes.fault
        guard let first = archive.entries.first, first.name == PieceManifest.fileName else {
            throw fault.invalid("its first entry is not \(PieceManifest.fileName)")
        }
        guard first.size <= PiecePackage.maximumManifestSize else { throw Self.longManifest(fault) }
        manifest = try PieceManifest(try Self.all(ZipEntryReader(first, in: bytes)), fault)
        draft = try Self.checked(manifest, archive, fault)
        container = .archive(archive)
        self.fault = fault
        try verify()
    }

    private init(folder: URL) throws(EarshotError) {
        fault = PackageFault(name: folder.lastPathComponent)
        container = .folder(folder)
        let file: PackageBytes
        do throws(EarshotError) {
            file = try PackageBytes(folder.appendingPathComponent(PieceManifest.fileName), followingLinks: false)
        } catch {
            guard error.code == .assetNotFound else { throw error }
            throw fault.invalid("the folder has no \(PieceManifest.fileName)")
        }
        guard file.count <= PiecePackage.maximumManifestSize else { throw Self.longManifest(fault) }
        manifest = try PieceManifest(try Self.all(PlainReader(file)), fault)
        draft = try manifest.checked(fault)
        try verify()
    }

    // MARK: - Parts

    /// All files except the manifest, in order: the mix, the preview, cover and attachment if there are any, and the
    /// other stems.
    public var parts: [PiecePart] { manifest.files }

    /// Returns the part of a kind, for stems the mix; `nil` if there is none.
    public func part(_ kind: PartKind) -> PiecePart? { manifest.part(kind) }

    /// Reads a part into memory.
    ///
    /// - Throws: `pieceInvalid` for a part of another package, and if the file has changed since it was opened;
    ///   `readFailed`.
    public func bytes(of part: PiecePart) throws(EarshotError) -> Data {
        let reader = try reader(part)
        var data = Data(capacity: part.size)
        while let piece = try reader.next() { data.append(contentsOf: piece) }
        return data
    }

    /// Writes a part to a file that appears complete or not at all.
    ///
    /// - Parameters:
    ///   - part: One of the package's parts.
    ///   - destination: The file to write.
    ///   - replacing: `true` to replace an existing file.
    /// - Throws: The errors of ``bytes(of:)``, `destinationExists` and `writeFailed`.
    public func extract(_ part: PiecePart, to destination: URL, replacing: Bool = false) throws(EarshotError) {
        if !replacing, FileManager.default.fileExists(atPath: destination.path) {
            throw AtomicFile.exists(destination)
        }
        let reader = try reader(part)
        let file = try AtomicFile(destination)
        while let piece = try reader.next() { try file.write(piece) }
        try file.commit(replacing: replacing)
    }

    /// Writes the package with its manifest to a folder that appears complete or not at all. The folder can be read as
    /// a package.
    ///
    /// - Parameter folder: The folder, which must not exist.
    /// - Throws: The errors of ``bytes(of:)``, `destinationExists` and `writeFailed`.
    public func extract(toFolder folder: URL) throws(EarshotError) {
        let staged = try StagedFolder(folder)
        try staged.write(PlainReader(PackageBytes(Data(try manifest.bytes()))), to: PieceManifest.fileName)
        for part in parts { try staged.write(try reader(part), to: part.file) }
        try staged.commit()
    }

    /// Reads the mix into memory.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func mixStem() throws(EarshotError) -> AudioBundle {
        guard let sound = try sound(part(.stem)) else {
            throw EarshotError(.stemMissing, "\(fault.name) has no mix stem: add one.")
        }
        return sound
    }

    /// Reads the preview into memory; `nil` if there is none.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func preview() throws(EarshotError) -> AudioBundle? { try sound(part(.preview)) }

    /// Reads a stem except the mix into memory; `nil` if no stem has this name.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func stem(named name: String) throws(EarshotError) -> AudioBundle? {
        try sound(manifest.stems.first { $0.name == name })
    }

    /// Reads the stems except the mix into memory.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func stems() throws(EarshotError) -> [PieceStem] {
        var stems: [PieceStem] = []
        for part in manifest.stems {
            guard let name = part.name, let bundle = try sound(part) else { continue }
            stems.append(PieceStem(name: name, sound: PackagedAudio(bundle, fileName: part.originalName)))
        }
        return stems
    }

    /// Reads the cover into memory; `nil` if there is none.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func cover() throws(EarshotError) -> CoverImage? {
        guard let part = part(.cover) else { return nil }
        return try CoverImage(try bytes(of: part))
    }

    /// Reads the attachment into memory; `nil` if there is none.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func attachment() throws(EarshotError) -> AttachmentBundle? {
        guard let part = part(.attachment), let name = part.originalName else { return nil }
        return try AttachmentBundle(fileName: name, mediaType: part.mediaType, bytes: try bytes(of: part))
    }

    /// Reads the piece with all its parts into memory.
    ///
    /// - Throws: The errors of ``bytes(of:)``.
    public func package() throws(EarshotError) -> PiecePackage {
        PiecePackage(
            draft: draft,
            description: manifest.description,
            author: manifest.author,
            id: manifest.id,
            createdAt: manifest.createdAt,
            mix: PackagedAudio(try mixStem(), fileName: part(.stem)?.originalName),
            stems: try stems(),
            preview: try preview().map { PackagedAudio($0, fileName: part(.preview)?.originalName) },
            cover: try cover(),
            attachment: try attachment()
        )
    }

    private func sound(_ part: PiecePart?) throws(EarshotError) -> AudioBundle? {
        guard let part, let format = part.format else { return nil }
        return try AudioBundle(format, try bytes(of: part))
    }

    // MARK: - Checks

    /// Checks that a manifest names exactly the files of the archive, and returns its draft.
    private static func checked(
        _ manifest: PieceManifest,
        _ archive: ZipArchive,
        _ fault: PackageFault
    ) throws(EarshotError) -> PieceDraft {
        // An attachment that is too large is reported before files that are not listed.
        for entry in archive.entries
        where entry.name.hasPrefix("attachment/") && entry.size > AttachmentBundle.maximumSize {
            throw EarshotError(
                .attachmentTooLarge,
                "The attachment of \(fault.name) has \(entry.size) bytes: \(AttachmentBundle.maximumSize) are allowed."
            )
        }
        let draft = try manifest.checked(fault)
        var left = Dictionary(uniqueKeysWithValues: archive.entries.dropFirst().map { ($0.name, $0) })
        for part in manifest.files {
            let shown = PackageFault.quoted(part.file)
            guard let entry = left.removeValue(forKey: part.file) else {
                throw fault.invalid("\(shown) is in its manifest, and not in the file")
            }
            guard entry.size == part.size else {
                throw fault.invalid("\(shown) has \(entry.size) bytes, and \(part.size) by the manifest")
            }
        }
        // Folders have no bytes. The folders of parts may have entries.
        for folder in ["stems/", "attachment/"] { left[folder] = nil }
        if let other = left.keys.min() {
            throw fault.invalid("\(PackageFault.quoted(other)) is in the file, and not in its manifest")
        }
        return draft
    }

    /// Reads all parts to their ends, which checks them.
    private func verify() throws(EarshotError) {
        for part in parts {
            let reader = try reader(part)
            var begin: [UInt8] = []
            let kept = part.kind == .cover ? part.size : 512
            while let piece = try reader.next() { begin += piece.prefix(kept - begin.count) }
            if let format = part.format, StemFormat(beginOf: begin) != format {
                throw fault.invalid(
                    "\(PackageFault.quoted(part.file)) is said to be \(format.rawValue) and begins as something else"
                )
            }
            if part.kind == .cover, try CoverImage(Data(begin)).format.mediaType != part.mediaType {
                throw fault.invalid("\(PackageFault.quoted(part.file)) is a picture of another type")
            }
        }
    }

    private func reader(_ part: PiecePart) throws(EarshotError) -> VerifiedReader {
        guard parts.contains(part) else { throw fault.invalid("it has no part \(PackageFault.quoted(part.file))") }
        let reader: any ByteChunkSource
        switch container {
        case .archive(let archive):
            guard let entry = archive.entries.first(where: { $0.name == part.file }) else { throw fault.unreadable() }
            reader = try ZipEntryReader(entry, in: archive.bytes)
        case .folder(let folder):
            reader = PlainReader(try Self.file(part, in: folder, fault))
        }
        return VerifiedReader(reader, as: part, fault)
    }

    /// Opens a file of the folder without following links.
    private static func file(
        _ part: PiecePart,
        in folder: URL,
        _ fault: PackageFault
    ) throws(EarshotError) -> PackageBytes {
        let url = folder.appendingPathComponent(part.file)
        if part.file.utf8.contains(UInt8(ascii: "/")) {
            var status = stat()
            let isFolder =
                lstat(url.deletingLastPathComponent().path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            guard isFolder else { throw missing(part, fault) }
        }
        do throws(EarshotError) {
            let bytes = try PackageBytes(url, followingLinks: false)
            guard bytes.count == part.size else {
                throw fault.invalid(
                    "\(PackageFault.quoted(part.file)) has \(bytes.count) bytes, and \(part.size) by the manifest"
                )
            }
            return bytes
        } catch {
            guard error.code == .assetNotFound || error.code == .assetUnreadable else { throw error }
            throw missing(part, fault)
        }
    }

    private static func missing(_ part: PiecePart, _ fault: PackageFault) -> EarshotError {
        fault.invalid("\(PackageFault.quoted(part.file)) is in its manifest, and not in the folder as a file")
    }

    private static func longManifest(_ fault: PackageFault) -> EarshotError {
        fault.invalid("its manifest has more than \(PiecePackage.maximumManifestSize) bytes")
    }

    private static func all(_ reader: any ByteChunkSource) throws(EarshotError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try reader.next() { bytes += piece }
        return bytes
    }
}

extension PiecePackageReader: DropProviders {
    /// Returns the mix of the package.
    public func mixStem(for draft: PieceDraft) async throws -> AudioBundle {
        try await BlockingWork.run { () throws(EarshotError) in try mixStem() }
    }

    /// Returns the stems of the package except the mix.
    public func stems(for draft: PieceDraft) async throws -> [PieceStem] {
        try await BlockingWork.run { () throws(EarshotError) in try stems() }
    }

    /// Returns the preview of the package; `nil` if there is none.
    public func preview(for draft: PieceDraft) async throws -> AudioBundle? {
        try await BlockingWork.run { () throws(EarshotError) in try preview() }
    }

    /// Returns the cover of the package; `nil` if there is none.
    public func cover(for draft: PieceDraft) async throws -> CoverImage? {
        try await BlockingWork.run { () throws(EarshotError) in try cover() }
    }

    /// Returns the attachment of the package; `nil` if there is none.
    public func attachment(for draft: PieceDraft) async throws -> AttachmentBundle? {
        try await BlockingWork.run { () throws(EarshotError) in try attachment() }
    }
}
