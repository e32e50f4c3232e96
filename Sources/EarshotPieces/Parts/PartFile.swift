public import EarshotCore
public import Foundation

extension AudioBundle {
    /// Audio in a file, which is read into memory, or mapped if the system supports it: then it must not change until
    /// the drop is over.
    ///
    /// - Throws: `assetNotFound`, `assetUnreadable`, `pieceInvalid` if the first bytes match no format of pieces.
    public init(contentsOf file: URL) throws(EarshotError) {
        let bytes = try PartFile.bytes(file)
        guard let format = StemFormat(beginOf: bytes.prefix(64)) else {
            throw EarshotError(.pieceInvalid, "\(file.path) is no WAVE, Ogg Vorbis or M4A file: convert it first.")
        }
        try self.init(format, bytes)
    }
}

extension AudioBundle {
    /// Sound of a package. What is in a file is held in memory, as of ``init(contentsOf:)``.
    ///
    /// - Throws: `assetNotFound`, `assetUnreadable`, `pieceInvalid` if the first bytes no longer match the format.
    public init(_ sound: PackagedAudio) throws(EarshotError) {
        switch sound.content {
        case .bytes(let data): try self.init(sound.format, data)
        case .file(let file): try self.init(sound.format, try PartFile.bytes(file))
        }
    }
}

extension AttachmentBundle {
    /// An attachment in a file, which is read whole once its size is known to be allowed.
    ///
    /// - Parameters:
    ///   - file: The file, which gives the name.
    ///   - mediaType: The media type.
    /// - Throws: `assetNotFound`, `assetUnreadable`, `readFailed`, `attachmentTooLarge`, `pieceInvalid` for a name that cannot be
    ///   sent.
    public init(contentsOf file: URL, mediaType: String = "application/octet-stream") throws(EarshotError) {
        // The size of the very file that is read, and no more of it than that.
        let bytes = try PackageBytes(file)
        guard bytes.count <= Self.maximumSize else {
            throw EarshotError(
                .attachmentTooLarge,
                "The attachment \(file.path) has \(bytes.count) bytes: \(Self.maximumSize) are allowed."
            )
        }
        try self.init(
            fileName: file.lastPathComponent,
            mediaType: mediaType,
            bytes: Data(try bytes.read(at: 0, count: bytes.count))
        )
    }
}

/// Parts of pieces that are files.
enum PartFile {
    /// The bytes of a file: mapped on Apple's systems, where the volume is safe for that, and read whole on others.
    ///
    /// They are not mapped by force: who reads what is mapped of a file that became shorter meanwhile is ended by the system.
    static func bytes(_ file: URL) throws(EarshotError) -> Data {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no file \(file.path): check the name.")
        }
        do {
            guard !isFolder.boolValue else { throw CocoaError(.fileReadUnknown) }
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch {
            throw EarshotError(
                .assetUnreadable,
                "\(file.path) cannot be read: check that it is a file that you may read.",
                cause: error
            )
        }
    }
}
