import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird

/// The format of an answer.
enum AcoustIDFormat: Hashable, Sendable {
    case json
    case jsonp(callback: String)
    case xml

    static let standardCallback = "jsonAcoustidApi"

    /// The format that a request names; `nil` if it is unknown.
    init?(_ form: FormParameters) {
        switch form["format"] ?? "json" {
        case "json": self = .json
        case "xml": self = .xml
        case "jsonp":
            let callback = form["jsoncallback"] ?? Self.standardCallback
            // Any other text would let a link to the service run a script of the link's author.
            self = .jsonp(callback: Self.isCallback(callback) ? callback : Self.standardCallback)
        default: return nil
        }
    }

    /// Returns `true` if a text is a JavaScript name, or several joined by periods.
    static func isCallback(_ text: String) -> Bool {
        guard text.utf8.count <= 200 else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.utf8.first else { return false }
            func isLetter(_ byte: UInt8) -> Bool {
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            }
            return (isLetter(first) || first == UInt8(ascii: "$"))
                && part.utf8.dropFirst().allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        }
    }

    /// Returns a number for JSON and XML, always with a decimal point, so that typed readers do not take it for an integer.
    static func text(_ number: Double) -> String { number.isFinite ? "\(number)" : "0.0" }

    func response(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        switch self {
        case .json:
            .bytes(Data(AcoustIDJSON.text(value).utf8), type: "application/json; charset=UTF-8", status)
        case .jsonp(let callback):
            .bytes(
                Data("\(callback)(\(AcoustIDJSON.text(value)))".utf8),
                type: "application/javascript; charset=UTF-8",
                status
            )
        case .xml: .bytes(Data(AcoustIDXML.text(value).utf8), type: "text/xml; charset=UTF-8", status)
        }
    }

    func response(_ error: AcoustIDError) -> Response {
        let code = JSONValue.integer(error.code)
        var response = response(
            ["status": "error", "error": ["code": code, "message": .string(error.message)]],
            error.status
        )
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        // The rest of a refused body is not read, so the connection must end.
        if error.code == 19 { response.headers[.connection] = "close" }
        return response
    }
}
