import Foundation

/// A connection to a service of this machine that stays open.
final class HeldConnection {
    private let socket: Int32

    init(_ base: URL) throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(base.port ?? 0).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(socket) }

    /// Sends text, and returns the first part of what comes back.
    func send(_ text: String) throws -> String {
        let bytes = Array(text.utf8)
        guard Foundation.send(socket, bytes, bytes.count, 0) == bytes.count else { throw POSIXError(.EPIPE) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    /// Asks for a path.
    func ask(_ path: String) throws -> String { try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
}
