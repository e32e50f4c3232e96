package import EarshotCore
import Foundation
import HTTPTypes

/// The networks of reverse proxies whose headers about the origin of a request are trusted.
///
/// Only one header is trusted, and only from these networks: a proxy forwards headers that it does not
/// write itself, and any client can send those.
package struct TrustedProxies: Sendable {
    /// The header in which proxies state the client's address: a header of each request, or the PROXY protocol's of each connection.
    package enum Header: String, CaseIterable, Sendable {
        case forwardedFor = "X-Forwarded-For"
        /// RFC 7239.
        case forwarded = "Forwarded"
        case proxyProtocol = "PROXY"
    }

    private struct Network {
        let bytes: [UInt8]
        let length: Int

        func contains(_ address: [UInt8]) -> Bool {
            guard address.count == bytes.count else { return false }
            for (index, pair) in zip(address, bytes).enumerated() {
                let bits = min(8, max(0, length - 8 * index))
                guard bits > 0 else { return true }
                if (pair.0 ^ pair.1) >> (8 - bits) != 0 { return false }
            }
            return true
        }
    }

    /// The most addresses of a header that are read, from its end.
    private static let mostHops = 32

    private let networks: [Network]
    private let header: Header

    /// No proxies: the address of the connection is the origin of every request.
    package static let none = TrustedProxies(networks: [])

    private init(networks: [Network]) { (self.networks, header) = (networks, .forwardedFor) }

    /// Creates the set of trusted proxies.
    ///
    /// - Parameters:
    ///   - texts: Networks such as `10.0.0.0/8` and `fd00::/8`, or single addresses.
    ///   - header: The header that the proxies write.
    /// - Throws: `configurationInvalid`.
    package init(_ texts: [String], header: Header = .forwardedFor) throws(EarshotError) {
        var networks: [Network] = []
        for text in texts {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let bytes = Self.bytes(String(parts[0])), parts.count <= 2,
                let length = parts.count == 2 ? Int(parts[1]) : 8 * bytes.count, (0...8 * bytes.count).contains(length)
            else {
                throw EarshotError(
                    .configurationInvalid,
                    "The setting trustedProxies has \"\(text.prefix(60))\": give networks such as 10.0.0.0/8 or fd00::/8."
                )
            }
            networks.append(Network(bytes: bytes, length: length))
        }
        guard header != .proxyProtocol || !networks.isEmpty else {
            throw EarshotError(
                .configurationInvalid,
                "The setting proxyHeader is PROXY, and trustedProxies is empty: name the networks of the proxies in trustedProxies."
            )
        }
        (self.networks, self.header) = (networks, header)
    }

    /// `true` if the proxies name the client at the start of a connection.
    var useProxyProtocol: Bool { header == .proxyProtocol }

    /// Returns the origin of a request: the address of its connection, or the last address in the header that no trusted proxy has.
    ///
    /// - Parameters:
    ///   - address: The address of the connection, or the one that the PROXY protocol told.
    ///   - headers: The headers of the request.
    func sender(_ address: String?, _ headers: HTTPFields) -> String? {
        guard !networks.isEmpty, !useProxyProtocol, let address, isTrusted(address) else { return address }
        var sender = address
        for hop in hops(headers).reversed().prefix(Self.mostHops) {
            // `unknown` and hidden names are no addresses: then the proxy itself counts as the sender.
            guard let text = hop, Self.bytes(text) != nil else { break }
            sender = text
            guard isTrusted(text) else { break }
        }
        return sender
    }

    /// Returns `true` if an address is that of one of the proxies.
    func isTrusted(_ text: String?) -> Bool {
        guard let bytes = text.flatMap(Self.bytes) else { return false }
        return networks.contains { $0.contains(bytes) }
    }

    /// Returns the addresses in the header, in order; `nil` for an element without one.
    private func hops(_ headers: HTTPFields) -> [String?] {
        let values = HTTPField.Name(header.rawValue).map { headers[values: $0] } ?? []
        let elements = values.flatMap { $0.split(separator: ",") }
        guard header == .forwarded else {
            return elements.map { Self.address($0.trimmingCharacters(in: .whitespaces)) }
        }
        return elements.map { element in
            let pairs = element.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let given = pairs.first { $0.lowercased().hasPrefix("for=") }
            return given.flatMap { Self.address(String($0.dropFirst(4))) }
        }
    }

    /// Returns an address without quotes, brackets and port.
    private static func address(_ text: String) -> String? {
        var text = text.trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if text.filter({ $0 == ":" }).count == 1 {
            text = String(text.prefix { $0 != ":" })
        }
        return bytes(text) == nil ? nil : text
    }

    /// Returns the bytes of an address: four for IPv4, also for one mapped into IPv6; `nil` for other texts.
    private static func bytes(_ text: String) -> [UInt8]? {
        let text = String(text.prefix { $0 != "%" })
        if let bytes = PublicAddress.bytes(text, AF_INET, 4) { return bytes }
        guard let bytes = PublicAddress.bytes(text, AF_INET6, 16) else { return nil }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? Array(bytes[12...]) : bytes
    }
}
