package import Foundation

/// Encodes bytes as text that can be part of a URL: base64url of RFC 4648, without padding.
extension Data {
    /// The bytes as base64url text, without padding.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes base64url text; `nil` if the text is malformed.
    package init?(base64URL text: some StringProtocol) {
        var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        self.init(base64Encoded: base64)
    }
}
