import Foundation

/// The origin of a request, by which requests are counted.
struct RequestOrigin: Hashable, Sendable {
    /// The name by which requests are counted: an IPv4 address, or the 64 bits of an IPv6 network, because one machine
    /// may have any number of its addresses.
    let name: String
    /// `true` if it is this machine: a program on it, or a proxy that sends the requests of all clients.
    let isLoopback: Bool

    /// - Parameter address: An IPv4 or IPv6 address; `nil` for a connection without one. All other texts count as one origin.
    init(_ address: String?) {
        // Behind `%` stands a zone: an interface of this machine, which is not part of the sender's address.
        let text = address.map { String($0.prefix { $0 != "%" }) } ?? ""
        if let bytes = Self.ipv4(text) {
            name = bytes.map(String.init).joined(separator: ".")
            isLoopback = bytes[0] == 127
        } else if let bytes = PublicAddress.bytes(text, AF_INET6, 16) {
            name = bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":")
            isLoopback = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
        } else {
            name = "?"
            isLoopback = false
        }
    }

    /// Returns the four bytes of an IPv4 address, also of one mapped into IPv6; `nil` for other texts.
    private static func ipv4(_ text: String) -> [UInt8]? {
        if let bytes = PublicAddress.bytes(text, AF_INET, 4) { return bytes }
        guard let bytes = PublicAddress.bytes(text, AF_INET6, 16), bytes[..<10].allSatisfy({ $0 == 0 }),
            bytes[10] == 0xFF, bytes[11] == 0xFF
        else { return nil }
        return Array(bytes[12...])
    }
}
