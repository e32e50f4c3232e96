import Foundation
import Synchronization

/// A server at a Unix socket that says the same in each connection: something at its beginning, and something to each line.
final class ScriptedPlayer: Sendable {
    private struct State {
        var lines: [String] = []
        var closed = 0
        var open: Set<Int32> = []
    }

    let path: String
    private let socket: Int32
    private let greeting: String
    private let answer: @Sendable (String) -> String
    private let answerCount: Int
    private let state = Mutex(State())

    /// A server that takes connections.
    ///
    /// - Parameters:
    ///   - greeting: The first bytes.
    ///   - answerCount: The lines after which it closes a connection.
    ///   - answer: The answer to a line.
    init(
        greeting: String = "OK MPD 0.23.5\n",
        answerCount: Int = .max,
        answer: @escaping @Sendable (String) -> String
    ) throws {
        path = "/tmp/earshot-\(UUID().uuidString.prefix(8)).socket"
        (self.greeting, self.answerCount, self.answer) = (greeting, answerCount, answer)
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = Foundation.socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(socket, 16) == 0
            }
        }
        self.socket = socket
        guard isBound else {
            close(socket)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        Thread.detachNewThread { [self] in
            while case let connection = accept(socket, nil, nil), connection >= 0 {
                state.withLock { _ = $0.open.insert(connection) }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    /// The lines that it was sent.
    var lines: [String] { state.withLock { $0.lines } }
    /// The connections that it closed.
    var closed: Int { state.withLock { $0.closed } }

    /// Ends all connections, and takes no more.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        unlink(path)
        for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func serve(_ connection: Int32) {
        defer {
            state.withLock { state in
                state.open.remove(connection)
                close(connection)
                state.closed += 1
            }
        }
        guard send(greeting, to: connection) else { return }
        var (line, count) = ([UInt8](), 0)
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) == 1 {
            guard byte == 10 else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            state.withLock { $0.lines.append(text) }
            line = []
            count += 1
            guard send(answer(text), to: connection), count < answerCount else { return }
        }
    }

    private func send(_ text: String, to connection: Int32) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
