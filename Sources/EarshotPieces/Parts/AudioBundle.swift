public import EarshotCore
public import Foundation

/// The audio of a piece in memory: a format and the bytes of the file.
public struct AudioBundle: Hashable, Sendable {
    /// The format.
    public let format: StemFormat
    /// The bytes of the file.
    public let bytes: Data

    /// Creates audio.
    ///
    /// - Throws: `pieceInvalid` if the first bytes do not match the format.
    public init(_ format: StemFormat, _ bytes: Data) throws(EarshotError) {
        guard StemFormat(beginOf: bytes) == format else {
            throw EarshotError(
                .pieceInvalid,
                "The audio declared as \(format.rawValue) has another format: declare the format that it has."
            )
        }
        self.format = format
        self.bytes = bytes
    }
}
