public import Foundation

/// Bytes that the maker of a bundle added to a reference. Earshot returns them without interpreting them.
public struct CustomData: Hashable, Sendable, Codable {
    /// The largest size of the bytes: 1 MiB.
    public static let maximumSize = 1_048_576

    /// The identifier that the bundle's maker chose.
    public var identifier: String
    /// The bytes, which may be empty.
    public var bytes: Data

    /// Creates custom data.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that the bundle's maker chose.
    ///   - bytes: The bytes.
    public init(identifier: String, bytes: Data) {
        self.identifier = identifier
        self.bytes = bytes
    }
}
