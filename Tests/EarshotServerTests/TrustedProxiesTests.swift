import EarshotCore
import HTTPTypes
import Testing

@testable import EarshotServer

@Suite("Proxies whose word counts")
struct TrustedProxiesTests {
    struct Case: Sendable {
        let connection: String
        var forwarded: [String] = []
        var forwardedFor: [String] = []
        let sender: String
    }

    private static let cases = [
        Case(connection: "192.0.2.9", forwardedFor: ["203.0.113.7"], sender: "192.0.2.9"),
        Case(connection: "10.1.2.3", sender: "10.1.2.3"),
        Case(connection: "10.1.2.3", forwardedFor: ["203.0.113.7"], sender: "203.0.113.7"),
        // What the client wrote itself stands before what the proxy adds.
        Case(connection: "10.1.2.3", forwardedFor: ["127.0.0.1, 203.0.113.7"], sender: "203.0.113.7"),
        Case(connection: "10.1.2.3", forwardedFor: ["198.51.100.1", "203.0.113.7, 10.9.9.9"], sender: "203.0.113.7"),
        Case(connection: "10.1.2.3", forwardedFor: ["203.0.113.7, unknown"], sender: "10.1.2.3"),
        Case(connection: "10.1.2.3", forwardedFor: ["203.0.113.7:4711"], sender: "203.0.113.7"),
        Case(connection: "::ffff:10.1.2.3", forwardedFor: ["2001:db8::7"], sender: "2001:db8::7"),
        Case(connection: "fd00::1", forwarded: ["for=\"[2001:db8::7]:4711\";proto=https"], sender: "2001:db8::7"),
        Case(
            connection: "10.1.2.3",
            forwarded: ["for=198.51.100.1, For=203.0.113.7;by=10.1.2.3"],
            sender: "203.0.113.7"
        ),
        Case(connection: "10.1.2.3", forwarded: ["for=_hidden"], forwardedFor: ["203.0.113.7"], sender: "10.1.2.3"),
        Case(connection: "10.1.2.3", forwardedFor: ["10.0.0.1, 10.0.0.2"], sender: "10.0.0.1"),
        Case(connection: "10.1.2.3", forwardedFor: [","], sender: "10.1.2.3"),
    ]

    @Test("the last address that no trusted proxy has is the sender's", arguments: cases)
    func sender(_ one: Case) throws {
        let header = one.forwarded.isEmpty ? TrustedProxies.Header.forwardedFor : .forwarded
        let proxies = try TrustedProxies(["10.0.0.0/8", "fd00::/8"], header: header)
        var headers = HTTPFields()
        for text in one.forwarded {
            headers.append(HTTPField(name: try #require(HTTPField.Name("Forwarded")), value: text))
        }
        for text in one.forwardedFor {
            headers.append(HTTPField(name: try #require(HTTPField.Name("X-Forwarded-For")), value: text))
        }
        #expect(proxies.sender(one.connection, headers) == one.sender)
        #expect(TrustedProxies.none.sender(one.connection, headers) == one.connection)
    }

    @Test(
        "what is no network is refused by name",
        arguments: ["10.0.0.0/33", "example.org", "10.0.0.0/8/8", "fd00::/-1", ""]
    )
    func refused(_ text: String) {
        let error = #expect(throws: EarshotError.self) { try TrustedProxies([text]) }
        #expect(error?.code == .configurationInvalid && error?.message.contains("trustedProxies") == true)
    }

    @Test("whoever speaks the PROXY protocol has no header of a request believed, and has to be named")
    func proxyProtocol() throws {
        let proxies = try TrustedProxies(["10.0.0.0/8"], header: .proxyProtocol)
        var headers = HTTPFields()
        headers.append(HTTPField(name: try #require(HTTPField.Name("X-Forwarded-For")), value: "203.0.113.7"))
        #expect(proxies.sender("10.1.2.3", headers) == "10.1.2.3")
        let error = #expect(throws: EarshotError.self) { try TrustedProxies([], header: .proxyProtocol) }
        #expect(error?.code == .configurationInvalid && error?.message.contains("trustedProxies") == true)
    }

    @Test("of the two headers one is believed: a proxy passes the other on as a visitor sent it")
    func otherHeader() throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: try #require(HTTPField.Name("Forwarded")), value: "for=192.0.2.66"))
        headers.append(HTTPField(name: try #require(HTTPField.Name("X-Forwarded-For")), value: "203.0.113.7"))
        #expect(try TrustedProxies(["10.0.0.0/8"]).sender("10.1.2.3", headers) == "203.0.113.7")
        #expect(try TrustedProxies(["10.0.0.0/8"], header: .forwarded).sender("10.1.2.3", headers) == "192.0.2.66")
    }
}
