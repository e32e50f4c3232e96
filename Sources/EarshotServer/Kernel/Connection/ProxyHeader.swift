import Foundation

/// A header of the PROXY protocol, version 1 or 2, in which a proxy states the client of a connection.
///
/// https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt
struct ProxyHeader: Hashable, Sendable {
    /// An address with a port.
    struct Source: Hashable, Sendable {
        /// Four bytes of IPv4, or 16 of IPv6.
        let address: [UInt8]
        let port: Int
    }

    /// Bytes that are no such header.
    struct Malformed: Error, Hashable {
        let message: String

        init(_ message: String) { self.message = message }
    }

    /// The most bytes of a header of version 1, with its end of line.
    static let largestText = 107
    /// The most bytes of a header of version 2, including the fields behind the addresses.
    static let largest = 2_048

    /// The client of the proxy; `nil` if the proxy asks for itself, or does not state the client.
    let source: Source?
    /// The number of bytes of the header.
    let length: Int

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    private static let word = Array("PROXY ".utf8)

    private init(source: Source?, length: Int) { (self.source, self.length) = (source, length) }

    /// Parses the header at the beginning of a connection; `nil` if it is not complete.
    ///
    /// - Parameter bytes: The bytes that have arrived. Those behind the first ``largest`` are ignored.
    init?(_ bytes: [UInt8]) throws(Malformed) {
        guard let first = bytes.first else { return nil }
        let header = first == Self.word[0] ? try Self.text(bytes) : try Self.binary(bytes)
        guard let header else { return nil }
        self = header
    }

    // MARK: - Version 1

    private static func text(_ bytes: [UInt8]) throws(Malformed) -> ProxyHeader? {
        try check(bytes, word)
        guard let end = bytes.prefix(largestText).firstIndex(of: UInt8(ascii: "\n")) else {
            guard bytes.count < largestText else {
                throw Malformed("the line of version 1 has more than \(largestText) bytes")
            }
            return nil
        }
        // Printable characters only: a zero byte would end an address early in the C library.
        guard end > 0, bytes[end - 1] == UInt8(ascii: "\r"),
            bytes[..<(end - 1)].allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw Malformed("the line of version 1 is no text with a carriage return at its end") }
        let words = String(decoding: bytes[..<(end - 1)], as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        if words[1] == "UNKNOWN" { return ProxyHeader(source: nil, length: end + 1) }
        let families: [Substring: (Int32, Int)] = ["TCP4": (AF_INET, 4), "TCP6": (AF_INET6, 16)]
        guard words.count == 6, let (family, count) = families[words[1]] else {
            throw Malformed("the line of version 1 has no TCP4 or TCP6 with two addresses and two ports")
        }
        guard let address = PublicAddress.bytes(String(words[2]), family, count),
            PublicAddress.bytes(String(words[3]), family, count) != nil,
            let port = port(words[4]), Self.port(words[5]) != nil
        else { throw Malformed("the line of version 1 has an address or a port that is none") }
        return ProxyHeader(source: Source(address: address, port: port), length: end + 1)
    }

    /// Returns a port; `nil` for other texts, such as numbers with leading zeros.
    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text == "0" || text.first != "0" else { return nil }
        return UInt16(text).map { Int($0) }
    }

    // MARK: - Version 2

    private static func binary(_ bytes: [UInt8]) throws(Malformed) -> ProxyHeader? {
        try check(bytes, signature)
        guard bytes.count >= 16 else { return nil }
        let (version, command) = (bytes[12] >> 4, bytes[12] & 15)
        guard version == 2, command <= 1 else { throw Malformed("version or command are not known") }
        let count = Int(bytes[14]) << 8 | Int(bytes[15])
        let length = 16 + count
        guard length <= largest else { throw Malformed("the header has more than \(largest) bytes") }
        guard bytes.count >= length else { return nil }
        // LOCAL: the proxy checks the service, and asks for nobody.
        guard command == 1 else { return ProxyHeader(source: nil, length: length) }
        switch bytes[13] {
        // 0x00 is unspecified; 0x31 are Unix sockets, whose addresses take 216 bytes.
        case 0x00: return ProxyHeader(source: nil, length: length)
        case 0x31 where count >= 216: return ProxyHeader(source: nil, length: length)
        case 0x11 where count >= 12: return ProxyHeader(source: source(bytes, 4), length: length)
        case 0x21 where count >= 36: return ProxyHeader(source: source(bytes, 16), length: length)
        default: throw Malformed("the family is not known, or its addresses are too short")
        }
    }

    /// Returns the source in the addresses of version 2: two addresses, then two ports.
    private static func source(_ bytes: [UInt8], _ size: Int) -> Source {
        let port = 16 + 2 * size
        return Source(address: Array(bytes[16..<(16 + size)]), port: Int(bytes[port]) << 8 | Int(bytes[port + 1]))
    }

    /// Refuses bytes that do not begin like a header, even before all of it has arrived.
    private static func check(_ bytes: [UInt8], _ beginning: [UInt8]) throws(Malformed) {
        guard zip(bytes, beginning).allSatisfy({ $0 == $1 }) else {
            throw Malformed("the connection does not begin with a header of the PROXY protocol")
        }
    }
}
