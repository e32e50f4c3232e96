public import Foundation

/// Bytes that the maker of a bundle put beside a reference. Earshot hands them back and does not look into them.
public struct CustomData: Hashable, Sendable, Codable {
    /// The most bytes that one may hold: 1 MiB.
    public static let maximumSize = 1_048_576

    /// The identifier that the bundle's maker chose.
    public var identifier: String
    /// The bytes, as the bundle's maker gave them; they may be none.
    public var bytes: Data

    /// Custom data.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that the bundle's maker chose.
    ///   - bytes: The bytes.
    public init(identifier: String, bytes: Data) {
        self.identifier = identifier
        self.bytes = bytes
    }
}
