import EarshotAPI
import EarshotRecognition
import Foundation

/// Creates and reads addresses of pictures and texts that expire: a reference, an expiry, and a seal over both.
///
/// `BASE/v1/content/EXPIRY.REFERENCE.SEAL`, the expiry in seconds since 1970 as hexadecimal digits, the seal the first
/// 16 bytes of an HMAC-SHA-256. Nothing has to be stored, and nobody can forge an address.
struct SignedContentAddresses: ContentAddresses {
    static let path = "/v1/content/"
    private static let sealSize = 16

    let keyring: Keyring
    /// The address of the service as the client reaches it, without a slash at the end.
    var base = ""
    /// The time for which an address is valid, in seconds.
    let lifetime: Double
    let now: @Sendable () -> Date

    /// Returns a copy for a client that reaches the service at another address.
    func reached(at base: String) -> SignedContentAddresses {
        var addresses = self
        addresses.base = base
        return addresses
    }

    func address(of reference: ContentReference) -> String {
        let now = self.now()
        let expiry = UInt64(max(0, now.timeIntervalSince1970 + lifetime))
        let content = "\(String(expiry, radix: 16)).\(Data(reference.text.utf8).base64URL)"
        return base + Self.path + content + "."
            + keyring.signing(at: now).addresses.code(for: content).prefix(Self.sealSize).base64URL
    }

    func reference(at address: String) -> Result<ContentReference, ContentRefusal> {
        let token = address.range(of: Self.path).map { address[$0.upperBound...] } ?? address[...]
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let expiry = UInt64(parts[0], radix: 16),
            let given = Data(base64URL: parts[2]),
            isValid(given, for: "\(parts[0]).\(parts[1])"),
            let text = Data(base64URL: parts[1]),
            let reference = ContentReference(text: String(decoding: text, as: UTF8.self))
        else { return .failure(ContentRefusal(status: 404)) }
        guard now().timeIntervalSince1970 < Double(expiry) else { return .failure(ContentRefusal(status: 412)) }
        return .success(reference)
    }

    private func isValid(_ code: Data, for content: String) -> Bool {
        keyring.accepted.contains { $0.addresses.isValid(code, for: content, size: Self.sealSize) }
    }
}
