import Foundation

/// A connection that sends what no HTTP client would.
struct RawConnection: Sendable {
    private let connection: Int32

    /// Connects to a port of this machine.
    init(port: Int) throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        connection = socket(AF_INET, kind, 0)
        guard connection >= 0 else { throw POSIXError(.EIO) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close()
            throw POSIXError(.ECONNREFUSED)
        }
    }

    func send(_ text: String) {
        #if canImport(Darwin)
            let options: Int32 = 0
        #else
            let options = Int32(MSG_NOSIGNAL)
        #endif
        let bytes = Array(text.utf8)
        // A server that has read enough may have closed its side.
        #if canImport(Darwin)
            _ = Darwin.send(connection, bytes, bytes.count, options)
        #else
            _ = Glibc.send(connection, bytes, bytes.count, options)
        #endif
    }

    /// Says that nothing more is sent; answers are read still.
    func endSending() { shutdown(connection, Int32(SHUT_WR)) }

    /// Ends the connection.
    ///
    /// - Parameter isReset: Whether the other side is told at once that nothing is read any more, either.
    func close(isReset: Bool = false) {
        if isReset {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        #if canImport(Darwin)
            _ = Darwin.close(connection)
        #else
            _ = Glibc.close(connection)
        #endif
    }

    /// Reads until the other side ends, or until what was read ends with a text.
    func read(until end: String? = nil) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: readBlocking(until: end)) }
        }
    }

    private func readBlocking(until end: String?) -> String {
        let end = end.map { Array($0.utf8) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
            if let end, answer.suffix(end.count) == end[...] { break }
        }
        return String(decoding: answer, as: UTF8.self)
    }

    // MARK: - All at once

    /// Sends text to a port of this machine and reads until the other side ends.
    static func answer(of text: String, port: Int) async throws -> String {
        try await answer(of: [text], port: port)
    }

    /// Sends the first of several texts, and each of the others once a header has come.
    static func answer(of texts: [String], port: Int) async throws -> String {
        let connection = try RawConnection(port: port)
        defer { connection.close() }
        var answer = ""
        for (index, text) in texts.enumerated() {
            connection.send(text)
            answer += await connection.read(until: index < texts.count - 1 ? "\r\n\r\n" : nil)
        }
        return answer
    }
}
