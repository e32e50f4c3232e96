import Foundation

/// A connection that sends what no HTTP client would.
enum RawConnection {
    /// Sends text to a port of this machine and reads until the other side ends.
    static func answer(of text: String, port: Int) async throws -> String {
        try await answer(of: [text], port: port)
    }

    /// Sends the first of several texts, and each of the others once a header has come.
    static func answer(of texts: [String], port: Int) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try answerBlocking(of: texts, port: port) })
            }
        }
    }

    private static func answerBlocking(of texts: [String], port: Int) throws -> String {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let connection = socket(AF_INET, kind, 0)
        guard connection >= 0 else { throw POSIXError(.EIO) }
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
        #if canImport(Darwin)
            let options: Int32 = 0
        #else
            let options = Int32(MSG_NOSIGNAL)
        #endif
        var waiting = texts[...]
        func sendNext() {
            guard let bytes = waiting.popFirst().map({ Array($0.utf8) }) else { return }
            // A server that has read enough may have closed its side.
            _ = send(connection, bytes, bytes.count, options)
        }
        sendNext()
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
            if answer.suffix(4) == Array("\r\n\r\n".utf8) { sendNext() }
        }
    }
}
