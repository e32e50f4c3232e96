import Crypto
import EarshotCore
import Foundation

/// Signs requests by AWS Signature Version 4, for stores that speak S3's protocol.
///
/// Source: "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)", Amazon S3 API Reference.
struct AWSSignature {
    let accessKey: String
    let secretKey: String
    let region: String
    var service = "s3"

    /// The SHA-256 digest of an empty body, as hexadecimal digits.
    static let emptyDigest = SHA256.hash(data: Data()).hexadecimal

    /// Returns the header fields of a request, with those that sign it.
    ///
    /// - Parameters:
    ///   - method: `GET`, `PUT` and so on.
    ///   - host: The host as in the request, with its port unless it is the default port of the scheme.
    ///   - path: The path, not escaped.
    ///   - query: The query as ``query(_:)`` writes it.
    ///   - fields: Other fields that are signed, by names in lower case.
    ///   - payload: The SHA-256 digest of the body, as hexadecimal digits.
    ///   - date: The time.
    func fields(
        _ method: String,
        host: String,
        path: String,
        query: String = "",
        fields: [String: String] = [:],
        payload: String,
        at date: Date
    ) -> [String: String] {
        let (day, instant) = Self.times(date)
        var all = fields
        all["host"] = host
        all["x-amz-content-sha256"] = payload
        all["x-amz-date"] = instant
        let names = all.keys.sorted()
        let signedNames = names.joined(separator: ";")
        let canonical =
            ([method, Self.escaped(path), query] + names.map { "\($0):\(all[$0] ?? "")" } + ["", signedNames, payload])
            .joined(separator: "\n")
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let text = [
            "AWS4-HMAC-SHA256", instant, scope, SHA256.hash(data: Data(canonical.utf8)).hexadecimal,
        ].joined(separator: "\n")
        var key = SymmetricKey(data: Data("AWS4\(secretKey)".utf8))
        for part in [day, region, service, "aws4_request"] { key = SymmetricKey(data: Self.code(part, key)) }
        let signature = Self.code(text, key).hexadecimal
        all["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(signedNames), Signature=\(signature)"
        return all
    }

    private static func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }

    /// Returns a query in the form that is signed: in order of names, with all characters escaped except unreserved ones.
    static func query(_ parameters: [String: String]) -> String {
        parameters.sorted { $0.key < $1.key }
            .map { "\(escaped($0, keepingSlashes: false))=\(escaped($1, keepingSlashes: false))" }
            .joined(separator: "&")
    }

    /// Returns a text with all characters escaped except the unreserved ones of RFC 3986 and, if they are kept, slashes.
    static func escaped(_ text: String, keepingSlashes: Bool = true) -> String {
        var escaped = ""
        for byte in text.utf8 {
            if isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/") {
                escaped.append(Character(UnicodeScalar(byte)))
            } else {
                escaped += "%" + [byte].hexadecimal.uppercased()
            }
        }
        return escaped
    }

    /// Returns `true` for bytes that are not escaped: letters, digits, `-`, `.`, `_` and `~`.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Returns the day and the instant in UTC: `20130524`, `20130524T000000Z`.
    private static func times(_ date: Date) -> (day: String, instant: String) {
        let style = Date.ISO8601FormatStyle(
            dateSeparator: .omitted,
            dateTimeSeparator: .standard,
            timeSeparator: .omitted
        )
        let instant = date.formatted(style)
        return (String(instant.prefix(8)), instant)
    }
}
