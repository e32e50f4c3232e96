import Dispatch
import Foundation
import Synchronization

/// A server on this machine that answers one request after the other as a test wants it.
final class LoopbackServer: Sendable {
    enum Answer: Sendable {
        /// A status line's number, and what follows the header.
        case reply(Int, [UInt8], type: String)
        /// Pieces, of which the last says that there are no more.
        case chunks([UInt8], type: String)
        /// The same, and then nothing, with the connection open.
        case silence(after: [UInt8], type: String)
    }

    let port: UInt16
    private let listener: Int32
    private let state: Mutex<(answers: [Answer], open: [Int32], requests: Int)>

    init(_ answers: [Answer]) throws {
        state = Mutex((answers, [], 0))
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileReadUnknown) }
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "loopback").async { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0, let self else { return }
                self.serve(connection)
            }
        }
    }

    func url(_ path: String = "stream") -> URL { URL(string: "http://127.0.0.1:\(port)/\(path)")! }

    /// How many requests there have been.
    var requestCount: Int { state.withLock { $0.requests } }

    /// Ends everything.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for connection in open { Foundation.close(connection) }
    }

    private func serve(_ connection: Int32) {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else {
                Foundation.close(connection)
                return
            }
            request += buffer.prefix(count)
        }
        let answer = state.withLock { state in
            state.requests += 1
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        switch answer {
        case .reply(let status, let bytes, let type):
            send(connection, status, bytes, type)
            shutdown(connection, Int32(SHUT_WR))
            Foundation.close(connection)
        case .chunks(let bytes, let type):
            let pieces = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8)
            send(connection, 200, pieces, type, "Transfer-Encoding: chunked\r\n")
            shutdown(connection, Int32(SHUT_WR))
            Foundation.close(connection)
        case .silence(let bytes, let type):
            send(connection, 200, bytes, type)
            state.withLock { $0.open.append(connection) }
        case nil:
            send(connection, 404, [], "text/plain")
            Foundation.close(connection)
        }
    }

    private func send(_ connection: Int32, _ status: Int, _ bytes: [UInt8], _ type: String, _ more: String = "") {
        let header = "HTTP/1.1 \(status) Answer\r\nContent-Type: \(type)\r\n\(more)Connection: close\r\n\r\n"
        let all = Array(header.utf8) + bytes
        var sent = 0
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        while sent < all.count {
            let count = all[sent...].withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return }
            sent += count
        }
    }
}
