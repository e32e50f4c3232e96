import Crypto
import EarshotCore
package import Foundation

/// Proves that a message comes from a node of the same service, and an answer from the node that read the request.
package struct NodeSeal: Sendable {
    /// The name of the header.
    package static let header = "Earshot-Node-Seal"
    /// The longest difference between the time of a request and this node's clock, in seconds. Clocks of nodes differ; an older request may be one
    /// that somebody recorded and sends again.
    package static let tolerance = 60.0
    /// The fewest bytes of a secret.
    package static let leastSecret = 16

    private let key: SymmetricKey

    /// - Parameter secret: The bytes that all nodes of the service know and nobody else.
    package init(secret: Data) { key = SymmetricKey(data: secret) }

    /// Returns the seal of a request: the time in seconds since 1970, and an HMAC over it and the body.
    package func seal(request body: some DataProtocol, at time: Date) -> String {
        let seconds = String(Int64(time.timeIntervalSince1970))
        return seconds + " " + code("request", seconds, body).hexadecimal
    }

    /// Returns `true` if a request was sealed with the same secret, and lately.
    package func isValid(_ seal: String, request body: some DataProtocol, at now: Date) -> Bool {
        let parts = seal.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int64(parts[0]), String(seconds) == parts[0],
            abs(Double(seconds) - now.timeIntervalSince1970) <= Self.tolerance
        else { return false }
        return isValid(parts[1], "request", String(seconds), body)
    }

    /// Returns the seal of the answer to a request: an HMAC over the request's seal and the body.
    package func seal(answer body: some DataProtocol, to request: String) -> String {
        code("answer", request, body).hexadecimal
    }

    /// Returns `true` if an answer was sealed with the same secret, and for the same request.
    package func isValid(_ seal: String, answer body: some DataProtocol, to request: String) -> Bool {
        isValid(seal[...], "answer", request, body)
    }

    private func message(_ kind: String, _ context: String, _ body: some DataProtocol) -> Data {
        Data("\(kind)\n\(context)\n".utf8) + Data(body)
    }

    private func code(_ kind: String, _ context: String, _ body: some DataProtocol) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: message(kind, context, body), using: key)
    }

    private func isValid(_ seal: Substring, _ kind: String, _ context: String, _ body: some DataProtocol) -> Bool {
        guard let code = [UInt8](hexadecimal: String(seal)) else { return false }
        // Compares in constant time, so that the time tells nothing about the right code.
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message(kind, context, body), using: key)
    }
}
