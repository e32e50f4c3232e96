import EarshotAPI
import Foundation

/// A JSON Web Token in its compact form, signed with HMAC-SHA-256 (RFC 7519, RFC 7515).
///
/// The service reads only tokens that it has written itself. It therefore accepts one form of header only, so that a token cannot
/// choose the algorithm.
struct WebToken: Sendable {
    /// The content of a token.
    struct Claims: Codable, Sendable {
        static let audience = "earshot"

        /// The client.
        var sub: String
        /// The user.
        var uid: String?
        /// The end of the token's life, in seconds since 1970.
        var exp: Double
        /// The time of issue, in seconds since 1970.
        var iat: Double
        var aud = Self.audience
    }

    private struct Header: Codable {
        var alg = "HS256"
        /// The name of the key.
        var kid: String
        var typ = "JWT"
    }

    /// The length of the longest text that is read. A token that the service writes has some 300 bytes.
    private static let sizeLimit = 2_048

    /// The name of the key that has signed the token.
    let key: String
    private let content: String
    private let payload: Data
    private let code: Data

    /// Parses a token. Its content must not be trusted before ``claims(sealedWith:)`` has checked the seal.
    ///
    /// - Returns: `nil` for a text that is not in the one form that the service writes.
    init?(_ text: String) {
        guard text.utf8.count <= Self.sizeLimit else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.data(parts[0]), let payload = Self.data(parts[1]),
            let code = Self.data(parts[2]), let key = Self.key(header)
        else { return nil }
        self.key = key
        self.payload = payload
        self.code = code
        content = "\(parts[0]).\(parts[1])"
    }

    /// Returns the claims; `nil` if the key did not sign them, or they are for another audience.
    func claims(sealedWith seal: Seal) -> Claims? {
        guard seal.isValid(code, for: content), let claims = try? JSONDecoder().decode(Claims.self, from: payload),
            claims.aud == Claims.audience
        else { return nil }
        return claims
    }

    /// Returns the text of a new token.
    ///
    /// - Parameters:
    ///   - claims: Its content.
    ///   - key: The name of the key.
    ///   - seal: The key.
    static func text(_ claims: Claims, key: String, seal: Seal) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = try encoder.encode(Header(kid: key)).base64URL + "." + encoder.encode(claims).base64URL
        return content + "." + seal.code(for: content).base64URL
    }

    /// Returns the bytes of a part; `nil` for a text that encodes them otherwise than the service does, with padding or unused bits.
    private static func data(_ text: Substring) -> Data? {
        guard let data = Data(base64URL: text), data.base64URL == text else { return nil }
        return data
    }

    /// Returns the name of the key in a header; `nil` if the header has not exactly the expected members, in any order.
    private static func key(_ header: Data) -> String? {
        guard let members = try? JSONDecoder().decode([String: String].self, from: header), members.count == 3,
            members["alg"] == "HS256", members["typ"] == "JWT"
        else { return nil }
        return members["kid"]
    }
}
