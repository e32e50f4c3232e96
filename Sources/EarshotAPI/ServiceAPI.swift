import EarshotCore
public import Foundation

/// What client and service of music recognition have agreed on: paths, types of content, the form of JSON.
public enum ServiceAPI {
    /// The version, the first part of every path.
    public static let version = "v1"
    /// The type of a signature's bytes.
    public static let signatureType = "application/vnd.earshot.signature"
    /// The type of a catalog's bytes.
    public static let catalogType = "application/vnd.earshot.catalog"

    /// Writes JSON as it goes over the wire: keys in order, times by ISO 8601.
    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    /// Reads JSON as it comes over the wire.
    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
