public import EarshotCore
public import Foundation

/// Sound of a piece, as an app gives it: a format and bytes.
public struct AudioBundle: Hashable, Sendable {
    /// The format.
    public let format: StemFormat
    /// The whole file.
    public let bytes: Data

    /// Sound in a format.
    ///
    /// - Throws: `pieceInvalid` when the bytes begin as something else.
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
