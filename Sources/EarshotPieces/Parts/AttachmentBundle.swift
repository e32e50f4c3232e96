public import EarshotCore
public import Foundation

/// A file attached to a piece, such as the project of the app that made it.
public struct AttachmentBundle: Hashable, Sendable {
    /// The largest size that a client sends, in bytes.
    public static let maximumSize = 30_000_000
    /// The largest size that a service accepts, in bytes: 30 MB read as mebibytes.
    public static let maximumReceivedSize = 31_457_280

    /// The name of the file, without folders.
    public let fileName: String
    /// The media type, such as `application/octet-stream`.
    public let mediaType: String
    /// The content of the file.
    public let bytes: Data

    /// Creates an attachment.
    ///
    /// - Parameters:
    ///   - fileName: Its name: 1 to 255 bytes, without folders and control characters, and without a combining mark at
    ///     its start.
    ///   - mediaType: The media type.
    ///   - bytes: The content of the file.
    /// - Throws: `attachmentTooLarge` above ``maximumSize``; `pieceInvalid` for an invalid name.
    public init(
        fileName: String,
        mediaType: String = "application/octet-stream",
        bytes: Data
    ) throws(EarshotError) {
        guard bytes.count <= Self.maximumSize else {
            throw EarshotError(
                .attachmentTooLarge,
                "The attachment \(fileName) has \(bytes.count) bytes: \(Self.maximumSize) are allowed."
            )
        }
        guard Self.isFileName(fileName) else {
            throw EarshotError(
                .pieceInvalid,
                "\"\(fileName.prefix(80))\" cannot be the name of an attachment: leave out folders, control characters and a full stop at its beginning."
            )
        }
        self.fileName = fileName
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// Returns `true` if a file in any folder can have the name: 1 to 255 bytes, without folders and control
    /// characters.
    package static func isFileName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".."
            && !name.unicodeScalars.contains {
                $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control
            } && !FileNames.beginsJoined(name)
    }
}
