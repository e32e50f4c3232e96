package import Foundation

/// Bytes as text that may stand in an address: base64url of RFC 4648, without padding.
extension Data {
    /// The text.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of such a text; `nil` for one that is none.
    package init?(base64URL text: some StringProtocol) {
        var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        self.init(base64Encoded: base64)
    }
}
