public import Foundation

/// The identifier of a piece: a UUID.
public struct PieceID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The UUID.
    public let uuid: UUID

    /// Creates a new identifier, or one from a UUID.
    public init(_ uuid: UUID = UUID()) {
        self.uuid = uuid
    }

    /// Parses the usual form of 36 characters, in any letter case; `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// The UUID in lowercase.
    public var description: String { uuid.uuidString.lowercased() }

    /// Decodes a text.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let id = PieceID(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "The identifier of a piece is a UUID.")
        }
        self = id
    }

    /// Encodes a text.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
