package import Foundation
import Synchronization

/// A small HTTP server on the loopback interface, whose answers a test writes: it knows tags, ranges and conditions, and
/// fails as it is told to. The system chooses the port; every connection carries one request.
package final class LoopbackServer: Sendable {
    /// What happens to the next request for a path, instead of the proper answer.
    package enum Fault: Sendable {
        /// The connection ends after so many bytes of the body.
        case cut(after: Int)
        /// A status without a body.
        case status(Int)
        /// The body has its byte at this place changed.
        case wrong(at: Int)
        /// The rest of the body, after so many bytes, waits for ``LoopbackServer/release()``.
        case stalled(after: Int)
        /// The request is to be sent elsewhere.
        case redirect(to: String)
        /// A range is asked for, and other bytes than those are announced.
        case wrongRange
    }

    /// A request as it came, and what was said to it.
    package struct Exchange: Sendable {
        /// The path with its query.
        package let path: String
        /// Header fields by name in lower case.
        package let headers: [String: String]
        /// The status of the answer.
        package let status: Int
    }

    private struct Resource {
        var body: Data
        var etag: String?
    }

    private struct State {
        var resources: [String: Resource] = [:]
        var faults: [String: [Fault]] = [:]
        var exchanges: [Exchange] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let gate = NSCondition()
    private let isReleased = Mutex(false)
    private let socket: Int32
    private let port: UInt16

    /// Begins to listen.
    package init() throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Foundation.socket(AF_INET, kind, 0)
        guard socket >= 0 else { throw POSIXError(.EIO) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = self.socket
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 && listen(socket, 16) == 0 && getsockname(socket, address, &size) == 0
            }
        }
        guard isBound else {
            close(socket)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve() }
    }

    /// The address of a path.
    package func url(_ path: String, credentials: String = "") -> URL {
        URL(string: "http://\(credentials)127.0.0.1:\(port)\(path)")!
    }

    /// Puts something at a path.
    package func publish(_ body: Data, at path: String, etag: String? = nil) {
        state.withLock { $0.resources[path] = Resource(body: body, etag: etag) }
    }

    /// Takes away what is at a path.
    package func remove(_ path: String) { state.withLock { $0.resources[path] = nil } }

    /// Says what goes wrong with the next requests for a path, one after the other.
    package func fail(_ path: String, _ faults: Fault...) { state.withLock { $0.faults[path, default: []] += faults } }

    /// The requests so far, in order.
    package var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    /// The requests for a path so far, in order.
    package func exchanges(at path: String) -> [Exchange] { exchanges.filter { $0.path == path } }

    /// Lets stalled answers go on.
    package func release() {
        gate.lock()
        isReleased.withLock { $0 = true }
        gate.broadcast()
        gate.unlock()
    }

    /// Ends: later connections are refused.
    package func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        release()
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    // MARK: - Connections

    private func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else {
                if errno == EINTR { continue }
                return
            }
            // A client that has gone away is an error of the write, and no signal to the process.
            #if canImport(Darwin)
                var on: Int32 = 1
                setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            #endif
            Thread.detachNewThread { [self] in
                answer(connection)
                shutdown(connection, Int32(SHUT_RDWR))
                close(connection)
            }
        }
    }

    private func answer(_ connection: Int32) {
        guard let (path, headers) = readHead(connection) else { return }
        let (resource, fault) = state.withLock { state in
            (state.resources[path], state.faults[path]?.isEmpty == false ? state.faults[path]?.removeFirst() : nil)
        }
        let reply = Reply(resource.map { ($0.body, $0.etag) }, headers: headers, fault)
        state.withLock { $0.exchanges.append(Exchange(path: path, headers: headers, status: reply.status)) }
        guard send(Data(reply.head.utf8), to: connection) else { return }
        var body = reply.body
        switch fault {
        case .cut(let count): body = body.prefix(count)
        case .stalled(let count):
            guard send(body.prefix(count), to: connection) else { return }
            body = body.dropFirst(count)
            gate.lock()
            while !isReleased.withLock({ $0 }) { gate.wait() }
            gate.unlock()
        default: break
        }
        _ = send(body, to: connection)
    }

    private func readHead(_ connection: Int32) -> (path: String, headers: [String: String])? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while !bytes.suffix(piece.count + 4).contains([13, 10, 13, 10]) {
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0, bytes.count < 1 << 16 else { return nil }
            bytes += piece[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return (String(words[1]), headers)
    }

    private func send(_ data: Data, to connection: Int32) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return [UInt8](data).withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Foundation.send(connection, bytes.baseAddress! + sent, bytes.count - sent, flags)
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}

/// An answer to one request.
private struct Reply {
    var status = 200
    var head = ""
    var body = Data()

    init(_ resource: (body: Data, etag: String?)?, headers: [String: String], _ fault: LoopbackServer.Fault?) {
        var fields = ["Connection: close"]
        switch fault {
        case .status(let status): self.status = status
        case .redirect(let target):
            status = 302
            fields.append("Location: \(target)")
        default:
            guard let resource else {
                status = 404
                break
            }
            body = resource.body
            if let etag = resource.etag { fields.append("ETag: \(etag)") }
            if let etag = resource.etag, headers["if-none-match"] == etag {
                status = 304
                body = Data()
            } else if let range = headers["range"], headers["if-range"] == nil || headers["if-range"] == resource.etag,
                let start = Int(range.filter(\.isNumber))
            {
                if start < body.count {
                    status = 206
                    var said = start
                    if case .wrongRange = fault { said += 1 }
                    fields.append("Content-Range: bytes \(said)-\(body.count - 1)/\(body.count)")
                    body = body.dropFirst(start)
                } else {
                    status = 416
                    fields.append("Content-Range: bytes */\(body.count)")
                    body = Data()
                }
            }
            if case .wrong(let place) = fault, place < body.count { body[body.startIndex + place] ^= 0x55 }
        }
        if status != 304 { fields.append("Content-Length: \(body.count)") }
        head = "HTTP/1.1 \(status) Scripted\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
