public import EarshotCore
public import Foundation

extension AudioBundle {
    /// Reads audio from a file into memory, or maps it if the system supports that safely. A mapped file must not
    /// change until the drop has ended.
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
    /// Reads the audio of a package into memory, as ``init(contentsOf:)``.
    ///
    /// - Throws: `assetNotFound`, `assetUnreadable`; `pieceInvalid` if the first bytes no longer match the format.
    public init(_ sound: PackagedAudio) throws(EarshotError) {
        switch sound.content {
        case .bytes(let data): try self.init(sound.format, data)
        case .file(let file): try self.init(sound.format, try PartFile.bytes(file))
        }
    }
}

extension AttachmentBundle {
    /// Reads an attachment from a file, after checking its size.
    ///
    /// - Parameters:
    ///   - file: The file, which gives the name.
    ///   - mediaType: The media type.
    /// - Throws: `assetNotFound`, `assetUnreadable`, `readFailed`, `attachmentTooLarge`; `pieceInvalid` for an invalid
    ///   name.
    public init(contentsOf file: URL, mediaType: String = "application/octet-stream") throws(EarshotError) {
        // The size is that of the opened file, and no more is read.
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

/// Reads parts of pieces from files.
enum PartFile {
    /// Returns the bytes of a file: mapped on Apple systems if the volume allows it safely, otherwise read completely.
    ///
    /// Mapping is not forced, because reading a mapped file that has become shorter ends the process.
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
