public import Foundation

/// The bytes of a part: in memory, or in a file that is read when the package is written.
public enum PieceContent: Hashable, Sendable {
    /// The bytes.
    case bytes(Data)
    /// The address of the file. A change before the package is written causes an error.
    case file(URL)
}
