import EarshotAPI
import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A request that is being handled: its content, its sender, and the settings of the service.
struct RequestContext: Sendable {
    let request: Request
    let identity: Identity
    /// The session of the browser, for requests of pages; `nil` if nobody has signed in there.
    let session: WebSession?
    let settings: ServiceSettings
    /// Refuses the sender if the request would not be admitted now. A response that goes on for long asks now and then.
    ///
    /// - Throws: `tokenRejected`, `clientIdentifierRejected`, `accessDenied`.
    let confirm: @Sendable () async throws(EarshotError) -> Void
    private let router: RouterContext
    private let clock: @Sendable () -> Date

    init(
        _ request: Request,
        _ router: RouterContext,
        identity: Identity,
        session: WebSession? = nil,
        settings: ServiceSettings,
        clock: @escaping @Sendable () -> Date,
        confirm: @escaping @Sendable () async throws(EarshotError) -> Void = { () throws(EarshotError) in }
    ) {
        self.request = request
        self.router = router
        self.identity = identity
        self.session = session
        self.settings = settings
        self.clock = clock
        self.confirm = confirm
    }

    /// The id of the request in the log and in responses.
    var requestID: String { router.requestID }
    /// Records a value for the audit log that identifies what the request changes; never a secret.
    func note(_ name: String, _ value: String) { router.notes.note(name, value) }
    /// Leaves the request out of the audit log, because it has changed nothing and can be sent any number of times.
    func noteNoChange() { router.notes.leaveOut() }
    /// The log, with the names of the request and of its trace.
    var logger: Logger { router.logger }
    /// The IP address of the sender, through the proxies that are trusted; `nil` for a connection without one.
    var address: String? { settings.trustedProxies.sender(router.remoteAddress?.ipAddress, request.headers) }
    /// `true` if the sender has closed the connection.
    var senderHasLeft: Bool { router.sender?.hasLeft ?? false }
    /// The current time.
    var now: Date { clock() }

    /// The address under which the client reaches the service.
    var base: String {
        if let url = settings.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        let scheme = settings.isSecure ? "https" : "http"
        guard let host = request.head.authority, host.utf8.count <= 255,
            host.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F].contains(byte)
            })
        else { return "" }
        return "\(scheme)://\(host)"
    }

    /// Runs long work that is canceled if the sender closes the connection.
    ///
    /// - Throws: Errors of the work; `cancelled` or a `CancellationError`.
    func untilSenderLeaves<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let sender = router.sender else { return try await work() }
        return try await sender.untilLeaving(work)
    }

    // MARK: - Parameters

    /// Returns a parameter of the path without decoding; `nil` if there is none.
    func pathParameter(_ name: String) -> String? { router.parameters.get(name) }

    /// Returns a parameter of the path, percent-decoded.
    ///
    /// - Throws: `requestInvalid`.
    func path(_ name: String) throws(EarshotError) -> String {
        guard let text = pathParameter(name), let decoded = text.removingPercentEncoding, !decoded.isEmpty,
            decoded.utf8.count <= 512
        else {
            throw EarshotError(.requestInvalid, "The path has no valid \(name): give 1 to 512 bytes, percent-encoded.")
        }
        return decoded
    }

    /// The parameters of the query, in order.
    var parameters: [(name: String, value: String)] {
        request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    /// Returns a text parameter of the query; `nil` if it is absent or empty.
    func text(_ name: String, upTo limit: Int = 400) throws(EarshotError) -> String? {
        guard let value = parameters.last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        guard value.unicodeScalars.count <= limit else {
            throw EarshotError(.requestInvalid, "\(name) has more than \(limit) characters: shorten it.")
        }
        return value
    }

    /// Returns an integer parameter of the query within a range, or the default if it is absent.
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

    /// Returns a Boolean parameter of the query, `1` or `0`; `false` if it is absent.
    func flag(_ name: String) throws(EarshotError) -> Bool {
        guard let value = parameters.last(where: { $0.name == name })?.value else { return false }
        switch value.lowercased() {
        case "1", "true": return true
        case "0", "false": return false
        default: throw EarshotError(.requestInvalid, "\(name) is \"\(value.prefix(40))\": say 1 or 0.")
        }
    }

    /// Returns a date parameter of the query in ISO 8601; `nil` if it is absent or empty.
    func date(_ name: String) throws(EarshotError) -> Date? {
        guard let text = try text(name, upTo: 40) else { return nil }
        // The plus sign of a time zone is decoded as a space if it was not escaped.
        guard let date = ServiceAPI.date(of: text.replacing(" ", with: "+")) else {
            throw EarshotError(
                .requestInvalid,
                "\(name) is \"\(text)\": give a date by ISO 8601 with its zone, as 2026-01-31T20:15:00Z."
            )
        }
        return date
    }
}
