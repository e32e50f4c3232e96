import Foundation

/// Distinguishes addresses of the public Internet from private ones, which only the service can reach.
enum PublicAddress {
    /// Returns `true` if an address belongs to the public Internet.
    ///
    /// - Parameter text: An IPv4 or IPv6 address without brackets and zone.
    static func isPublic(_ text: String) -> Bool {
        if let bytes = bytes(text, AF_INET, 4) { return isPublic4(bytes) }
        guard let bytes = bytes(text, AF_INET6, 16) else { return false }
        // IPv4 in IPv6: mapped, compatible, NAT64, 6to4.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return isPublic4(Array(bytes[12...]))
        }
        if bytes[..<12].allSatisfy({ $0 == 0 }) { return false }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) {
            // 64:ff9b:1::/48 is for translation within a network (RFC 8215).
            return bytes[4..<12].allSatisfy { $0 == 0 } && isPublic4(Array(bytes[12...]))
        }
        if bytes.starts(with: [0x20, 0x02]) { return isPublic4(Array(bytes[2..<6])) }
        // Teredo, benchmarks and the rest of 2001::/23, and documentation.
        if bytes.starts(with: [0x20, 0x01]), bytes[2] & 0xFE == 0 { return false }
        if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }
        if bytes.starts(with: [0x3F, 0xFF]), bytes[2] & 0xF0 == 0 { return false }
        // Global unicast is 2000::/3; the rest is link-local, unique local, multicast or not given out.
        return bytes[0] & 0xE0 == 0x20
    }

    private static func isPublic4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
        case (100, 64...127, _): false
        case (169, 254, _): false
        case (172, 16...31, _): false
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (192, 168, _): false
        case (198, 18...19, _), (198, 51, 100), (203, 0, 113): false
        default: true
        }
    }

    /// Returns the bytes of an address of a family; `nil` if the text is no such address.
    static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// Returns the addresses of a host, as the system resolves it; empty if it is not known. Blocks.
    static func resolve(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                entry.pointee.ai_addr,
                entry.pointee.ai_addrlen,
                &text,
                socklen_t(text.count),
                nil,
                0,
                NI_NUMERICHOST
            ) == 0 {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
