public import EarshotCore
public import Foundation

/// Sound of a piece that goes into a package: as ``AudioBundle``, but that its bytes may still be in a file.
public struct PieceSound: Hashable, Sendable {
    /// The format.
    public let format: StemFormat
    /// The whole file.
    public let content: PieceContent
    /// What the file was called, without folders.
    public let fileName: String?

    /// Sound at hand.
    public init(_ bundle: AudioBundle, fileName: String? = nil) {
        format = bundle.format
        content = .bytes(bundle.bytes)
        self.fileName = fileName
    }

    /// Sound in a file. Its begin is read, to know the format.
    ///
    /// - Throws: `pieceInvalid` for what begins as none of the formats, `assetNotFound`, `assetUnreadable`, `readFailed`.
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

/// A stem of a piece besides its mix, such as the drums alone.
public struct PieceStem: Hashable, Sendable {
    /// What it is called: 1 to 50 code points that can be the name of a file.
    public let name: String
    /// The sound.
    public let sound: PieceSound

    /// A stem.
    public init(name: String, sound: PieceSound) {
        self.name = name
        self.sound = sound
    }
}
