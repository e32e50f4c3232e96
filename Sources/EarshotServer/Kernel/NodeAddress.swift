package import EarshotCore

/// The host and port at which other nodes reach this one: `10.0.0.3:7100`, `node-1:7100`, `[fd00::3]:7100`.
package struct NodeAddress: Hashable, Sendable {
    /// The host, without the brackets of an address of IPv6.
    package let host: String
    /// The port. With 0 the system chooses one when the node listens.
    package let port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Parses an address.
    ///
    /// - Throws: `configurationInvalid` for a text without host or port, and for a wildcard host such as `0.0.0.0`.
    package init(_ text: String) throws(EarshotError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw Self.invalid
        }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed == host.contains(":"), !["0.0.0.0", "::", "*"].contains(host),
            host.utf8.allSatisfy(Self.isAllowed)
        else { throw Self.invalid }
        self.init(host: String(host), port: Int(port))
    }

    /// Returns `true` for the characters of host names, addresses and zones. Others would end the host in the URL of a request.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":")].contains(byte)
        }
    }

    private static var invalid: EarshotError {
        EarshotError(
            .configurationInvalid,
            "The setting clusterAddress is to be the address and the port at which other nodes reach this one, such as 10.0.0.3:7100."
        )
    }

    /// The address as text, as it is published to other nodes.
    package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
