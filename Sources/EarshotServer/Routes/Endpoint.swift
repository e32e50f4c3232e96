import EarshotAPI
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// A request that the service answers: the route and its description are made from the same value, so that they agree.
struct Endpoint: Sendable {
    /// Who may ask.
    enum Access: Sendable {
        case open, client, user, references, admin
        /// Everybody; a token is looked at where there is one, for it may show more.
        case reader
        /// Clients that may change references: the operator trusts these with files.
        case media
        /// Clients, or everybody, as the settings say.
        case covers
    }

    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path, query
        }

        var name: String
        var place = Place.query
        var schema: JSONValue
        var summary: String
        var isRequired = false
    }

    /// What is sent with a request: schemas by type of content.
    typealias Body = [String: JSONValue]

    struct Answer: Sendable {
        var status: Int
        var summary: String
        /// The type of its content; none for an empty one.
        var type: String?
        var schema: JSONValue?
    }

    typealias Handler = @Sendable (Call) async throws -> Response

    var method: HTTPRequest.Method
    /// As in the description: `/v1/tracks/{id}`.
    var path: String
    /// The name that generated clients give it.
    var id: String
    var summary: String
    /// What it belongs to.
    var tag: String
    var access: Access
    /// The kind of queries that whoever asks has to be entitled to.
    var module: Registration.Module?
    /// What the client has to be entitled to besides.
    var entitlement: Entitlement?
    var parameters: [Parameter] = []
    var body: Body = [:]
    /// Whether answering takes a turn in the queue: then a full queue refuses it before anything else is done for it.
    var isQueued = false
    /// Whether a request goes on for hours: then it is counted apart from the client's others.
    var isLasting = false
    var answers: [Answer]
    var handler: Handler

    /// The path as the router spells it.
    var routerPath: RouterPath {
        RouterPath(path.replacing("{", with: ":").replacing("}", with: ""))
    }
}

/// A request that is being answered.
struct Call: Sendable {
    let request: Request
    let context: ServiceRequestContext
    let core: ServiceCore
    let identity: Identity

    /// The parameter of the path.
    func path(_ name: String) throws(EarshotError) -> String {
        guard let text = context.parameters.get(name), let decoded = text.removingPercentEncoding, !decoded.isEmpty,
            decoded.utf8.count <= 512
        else { throw EarshotError(.requestInvalid, "The path has no valid \(name).") }
        return decoded
    }

    /// The parameters behind the path, in order.
    var parameters: [(name: String, value: String)] {
        request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    /// A parameter; nothing where it is left out or empty.
    func text(_ name: String, upTo limit: Int = 400) throws(EarshotError) -> String? {
        guard let value = parameters.last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        guard value.unicodeScalars.count <= limit else {
            throw EarshotError(.requestInvalid, "\(name) has more than \(limit) characters.")
        }
        return value
    }

    /// A whole number within bounds.
    func number(_ name: String, _ range: ClosedRange<Int>, default standard: Int) throws(EarshotError) -> Int {
        guard let value = parameters.last(where: { $0.name == name })?.value else { return standard }
        guard let number = Int(value), range.contains(number) else {
            throw EarshotError(
                .requestInvalid,
                "\(name) is \"\(value.prefix(40))\": give a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// A switch.
    func flag(_ name: String) throws(EarshotError) -> Bool {
        guard let value = parameters.last(where: { $0.name == name })?.value else { return false }
        switch value.lowercased() {
        case "1", "true": return true
        case "0", "false": return false
        default: throw EarshotError(.requestInvalid, "\(name) is \"\(value.prefix(40))\": say 1 or 0.")
        }
    }

    /// An instant; nothing where it is left out or empty.
    func date(_ name: String) throws(EarshotError) -> Date? {
        guard let text = try text(name, upTo: 40) else { return nil }
        // A plus sign of a zone that was not escaped has become a blank.
        guard let date = ServiceAPI.date(of: text.replacing(" ", with: "+")) else {
            throw EarshotError(
                .requestInvalid,
                "\(name) is \"\(text)\": give a date by ISO 8601 with its zone, as 2026-01-31T20:15:00Z."
            )
        }
        return date
    }

    /// How the client reaches the service.
    var base: String {
        if let url = core.settings.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        let scheme = core.settings.certificateFile == nil ? "http" : "https"
        guard let host = request.head.authority, host.utf8.count <= 255,
            host.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F].contains(byte)
            })
        else { return "" }
        return "\(scheme)://\(host)"
    }
}
