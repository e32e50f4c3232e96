public import EarshotCore
public import Foundation

/// The address scheme with which a system opens an app.
///
/// `piece-sketcher://open?id=…` asks the app `sketcher` to open a piece. `piece-sketcher://authorize?…` returns to it
/// after a login.
public struct PieceScheme: Hashable, Sendable {
    /// The prefix of the application identifier in the scheme.
    public static let prefix = "piece-"

    /// The application identifier, in lowercase.
    public let application: String

    /// Creates a scheme.
    ///
    /// - Parameter application: 1 to 64 letters, digits, `+`, `-` and `.`, as RFC 3986 allows in a scheme. The letter
    ///   case does not matter.
    /// - Throws: `setupInvalid` for any other text.
    public init(application: String) throws(EarshotError) {
        let isUsable = application.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
        guard isUsable, (1...64).contains(application.utf8.count) else {
            throw EarshotError(
                .setupInvalid,
                "The application identifier \"\(application.prefix(80))\" cannot be part of an address: "
                    + "use up to 64 letters, digits, plus, minus and full stops."
            )
        }
        self.application = application.lowercased()
    }

    /// The scheme, such as `piece-sketcher`.
    public var name: String { Self.prefix + application }

    /// Returns the address with which the app opens a piece.
    public func address(opening piece: PieceID) -> URL? { URL(string: "\(name)://open?id=\(piece)") }

    /// Returns the request in an address; `nil` if the address is not for this app.
    public func request(_ address: URL) -> PieceRequest? {
        guard address.scheme?.lowercased() == name,
            let parts = URLComponents(url: address, resolvingAgainstBaseURL: false),
            parts.user == nil, parts.password == nil, parts.port == nil, parts.path.isEmpty || parts.path == "/"
        else { return nil }
        let items = parts.queryItems ?? []
        func value(_ name: String) -> String? {
            let values = items.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }
        switch parts.host?.lowercased() {
        case "open": return value("id").flatMap { PieceID($0) }.map { .open($0) }
        case "authorize":
            guard let code = value("code"), let state = value("state"), !code.isEmpty, !state.isEmpty else {
                return nil
            }
            return .authorize(code: code, state: state)
        default: return nil
        }
    }
}
