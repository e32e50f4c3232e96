import EarshotCore
public import Foundation

/// The signature of a delivery: the field `Earshot-Signature: t=<seconds since 1970>,v1=<64 hexadecimal digits>`.
///
/// The digits are the HMAC-SHA256 of ``signedContent(timestamp:body:)`` with the secret that sender and receiver share.
/// The caller computes it, because this module has no cryptography.
public struct WebhookSignature: Hashable, Sendable, CustomStringConvertible {
    /// The name of the field.
    public static let field = "Earshot-Signature"
    /// The largest difference between the time of a delivery and the receiver's clock, in seconds, to prevent replays.
    public static let tolerance = 300

    /// The time of signing, in seconds since 1970.
    public let timestamp: Int
    /// The digests, each of 64 lowercase hexadecimal digits; several while a secret is being replaced.
    public let digests: [String]

    /// Creates a signature.
    ///
    /// - Parameters:
    ///   - timestamp: The time of signing, in seconds since 1970.
    ///   - digests: The HMAC-SHA256 of the signed content, 32 bytes each, one for each valid secret.
    public init(timestamp: Int, digests: [Data]) {
        self.timestamp = timestamp
        self.digests = digests.map(\.hexadecimal)
    }

    /// Parses the header field; `nil` if it is malformed. Parts with other names are ignored.
    public init?(_ field: String) {
        guard field.utf8.count <= 4_096 else { return nil }
        var timestamp: Int?
        var digests: [String] = []
        for part in field.split(separator: ",") {
            let pair = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "t":
                guard timestamp == nil, pair[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
                timestamp = Int(pair[1])
            case "v1":
                let digits = pair[1].lowercased()
                let isDigest = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
                guard digits.utf8.count == 64, isDigest else { return nil }
                digests.append(digits)
            default: break
            }
        }
        guard let timestamp, !digests.isEmpty else { return nil }
        self.timestamp = timestamp
        self.digests = digests
    }

    /// The value of the field.
    public var description: String {
        (["t=\(timestamp)"] + digests.map { "v1=\($0)" }).joined(separator: ",")
    }

    /// Returns the signed content: the digits of the time, a period, and the body as sent.
    ///
    /// - Parameters:
    ///   - timestamp: The time of signing, in seconds since 1970.
    ///   - body: The body of the request.
    public static func signedContent(timestamp: Int, body: Data) -> Data { Data("\(timestamp).".utf8) + body }

    /// Returns `true` if the signature is fresh and one of its digests is the expected one. The time of the comparison
    /// does not depend on where they differ.
    ///
    /// - Parameters:
    ///   - digest: The HMAC-SHA256 of the signed content with the receiver's secret.
    ///   - now: The receiver's time.
    public func isValid(digest: Data, at now: Date) -> Bool {
        let expected = Array(WebhookSignature(timestamp: timestamp, digests: [digest]).digests[0].utf8)
        let isFresh = abs(now.timeIntervalSince1970 - Double(timestamp)) <= Double(Self.tolerance)
        var isKnown = false
        for digits in digests {
            let bytes = Array(digits.utf8)
            guard bytes.count == expected.count else { continue }
            let difference = zip(bytes, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { isKnown = true }
        }
        return isFresh && isKnown
    }
}
