import HTTPTypes
import NIOHTTP1

/// A request that is refused for its header alone.
struct RequestRefusal: Hashable, Sendable {
    let status: HTTPResponse.Status
    let message: String
}

/// The rules for the header of a request that the parser of HTTP does not enforce (RFC 9110, RFC 9112).
enum RequestHeadRules {
    /// Returns the reason to refuse a request; `nil` if it may pass.
    static func refusal(of head: HTTPRequestHead) -> RequestRefusal? {
        hostRefusal(head) ?? framingRefusal(head) ?? expectationRefusal(head)
    }

    /// Returns `true` if the sender waits for `100 Continue` before it sends the body.
    static func expectsContinue(_ head: HTTPRequestHead) -> Bool {
        isVersion11(head) && elements(of: "expect", head) == ["100-continue"]
    }

    /// Returns `true` if the sender asks to switch the connection to another protocol, which the service never does.
    static func asksForAnotherProtocol(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }

    // MARK: - Rules

    /// Enforces RFC 9112, 3.2: one valid `Host`, which only requests of HTTP/1.0 may leave out.
    private static func hostRefusal(_ head: HTTPRequestHead) -> RequestRefusal? {
        let hosts = head.headers["host"]
        if hosts.isEmpty, isVersion11(head) {
            return RequestRefusal(
                status: .badRequest,
                message: "The request has no Host: send the name of the service."
            )
        }
        if hosts.count > 1 {
            return RequestRefusal(status: .badRequest, message: "The request has \(hosts.count) Hosts: send one.")
        }
        guard hosts.allSatisfy(isHost) else {
            return RequestRefusal(
                status: .badRequest,
                message: "The Host of the request is no host: send a name or an address, with a port if need be."
            )
        }
        return nil
    }

    /// Enforces RFC 9112, 6.1 and 6.3. If a proxy and the service disagreed on the end of a body, its rest could pass as another request.
    private static func framingRefusal(_ head: HTTPRequestHead) -> RequestRefusal? {
        guard head.headers.contains(name: "transfer-encoding") else { return nil }
        func bad(_ message: String) -> RequestRefusal { RequestRefusal(status: .badRequest, message: message) }
        guard isVersion11(head) else {
            return bad("Transfer-Encoding is not part of HTTP/1.0: send Content-Length instead.")
        }
        guard !head.headers.contains(name: "content-length") else {
            return bad("The request has Transfer-Encoding and Content-Length: send one of the two.")
        }
        let codings = elements(of: "transfer-encoding", head)
        guard codings.last == "chunked", codings.count(where: { $0 == "chunked" }) == 1 else {
            return bad("The last Transfer-Encoding is to be chunked, once.")
        }
        guard codings.count == 1 else {
            return RequestRefusal(
                status: .notImplemented,
                message: "No Transfer-Encoding but chunked is known: send the body without the others."
            )
        }
        return nil
    }

    /// Enforces RFC 9110, 10.1.1: an unknown expectation is refused.
    private static func expectationRefusal(_ head: HTTPRequestHead) -> RequestRefusal? {
        guard isVersion11(head), head.headers.contains(name: "expect"), !expectsContinue(head) else { return nil }
        return RequestRefusal(
            status: .expectationFailed,
            message: "The only expectation that is met is 100-continue: leave out Expect, or send that."
        )
    }

    // MARK: - Syntax

    private static func isVersion11(_ head: HTTPRequestHead) -> Bool { head.version.minor >= 1 }

    /// Returns the elements of all header fields of a name, in lower case.
    private static func elements(of name: String, _ head: HTTPRequestHead) -> [String] {
        head.headers[canonicalForm: name].map { $0.lowercased() }.filter { !$0.isEmpty }
    }

    /// Returns `true` if a text is `uri-host [ ":" port ]` (RFC 3986, 3.2). The empty text is valid: `Host` of a target without authority.
    private static func isHost(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let literal = rest[rest.index(after: rest.startIndex)..<end]
            guard !literal.isEmpty, literal.allSatisfy({ isNameByte($0) || $0 == UInt8(ascii: ":") }) else {
                return false
            }
            rest = rest[rest.index(after: end)...]
        } else {
            rest = rest.trimmingPrefix(while: isNameByte)
        }
        guard let colon = rest.first else { return true }
        return colon == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-._~%!$&'()*+,;=".utf8.contains(byte)
    }
}
