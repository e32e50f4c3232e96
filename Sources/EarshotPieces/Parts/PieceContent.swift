public import Foundation

/// Bytes that go into a package: at hand, or in a file that is read when the package is written.
public enum PieceContent: Hashable, Sendable {
    /// The bytes.
    case bytes(Data)
    /// The file that has them. It must not change until the package is written; one that did is found.
    case file(URL)
}
