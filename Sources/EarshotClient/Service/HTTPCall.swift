import Foundation
import NIOHTTP1

/// A request before it has an address and a token.
struct HTTPCall: Sendable {
    let method: HTTPMethod
    let path: String
    let parameters: [(name: String, value: String)]
    let body: Data?
    let bodyType: String
    /// `true` if answering may take any time.
    let isLasting: Bool

    init(
        _ method: HTTPMethod,
        path: String,
        parameters: [(String, String)] = [],
        body: Data? = nil,
        bodyType: String = "",
        isLasting: Bool = false
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters.map { (name: $0.0, value: $0.1) }
        self.body = body
        self.bodyType = bodyType
        self.isLasting = isLasting
    }

    /// Path and parameters behind the address of a service.
    func address(_ base: String, version: String) -> String {
        let query = parameters.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
        return "\(base)/\(version)/\(path)" + (query.isEmpty ? "" : "?" + query)
    }

    /// Text with everything escaped that has a meaning in an address.
    static func escaped(_ text: String) -> String {
        var text = text[...]
        var escaped = ""
        text.withUTF8 { bytes in
            for byte in bytes {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                    escaped.append(Character(UnicodeScalar(byte)))
                default:
                    escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            }
        }
        return escaped
    }
}

/// An answer as it came.
struct HTTPAnswer: Sendable {
    let status: Int
    let type: String
    /// The pause that the service asks for, in seconds.
    let retryAfter: Double?
    let body: Data
}
