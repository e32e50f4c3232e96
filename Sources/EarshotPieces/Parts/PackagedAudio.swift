public import EarshotCore
public import Foundation

/// An audio file to be packaged with a piece. Unlike those of ``AudioBundle``, its bytes may still be in a file.
public struct PackagedAudio: Hashable, Sendable {
    /// The format.
    public let format: StemFormat
    /// The bytes of the file.
    public let content: PieceContent
    /// The original file name, without folders; `nil` if unknown.
    public let fileName: String?

    /// Creates audio from bytes in memory.
    public init(_ bundle: AudioBundle, fileName: String? = nil) {
        format = bundle.format
        content = .bytes(bundle.bytes)
        self.fileName = fileName
    }

    /// Creates audio from a file, whose first bytes are read to find the format.
    ///
    /// - Throws: `pieceInvalid` if the first bytes match no format, `assetNotFound`, `assetUnreadable`, `readFailed`.
    public init(file: URL) throws(EarshotError) {
        let bytes = try PackageBytes(file)
        guard let format = StemFormat(beginOf: try bytes.read(at: 0, count: min(512, bytes.count))) else {
            throw EarshotError(
                .pieceInvalid,
                "\(file.lastPathComponent) begins as no sound that a piece can have: give WAVE, Ogg Vorbis or AAC in M4A."
            )
        }
        self.format = format
        content = .file(file)
        fileName = file.lastPathComponent
    }
}
