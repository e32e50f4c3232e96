import Foundation
import Synchronization

@testable import EarshotPostgreSQL

/// A server on the loopback interface that says yes to each statement, except those to which it is to say nothing.
final class ScriptedServer: Sendable {
    private struct State {
        var statements: [String] = []
        var connections = 0
        var cancellations = 0
        var open: [Int32] = []
    }

    private let port: UInt16
    private let socket: Int32
    private let isSilent: @Sendable (String) -> Bool
    private let state = Mutex(State())

    /// A server that takes connections.
    ///
    /// - Parameter isSilent: Says that a statement gets no answer.
    init(isSilent: @escaping @Sendable (String) -> Bool) throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let socket = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 && listen(socket, 16) == 0 && getsockname(socket, address, &size) == 0
            }
        }
        guard isBound else {
            close(socket)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        (self.socket, self.isSilent) = (socket, isSilent)
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while case let connection = accept(socket, nil, nil), connection >= 0 {
                state.withLock { $0.open.append(connection) }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    /// Settings of connections to it.
    var options: PostgreSQLOptions {
        var options = PostgreSQLOptions(
            "postgresql://ada@127.0.0.1:\(port)/x?sslmode=disable&gssencmode=disable&target_session_attrs=any"
        )
        options.connections = 1
        return options
    }

    /// The statements that it was sent, those of connecting left out.
    var statements: [String] { state.withLock { $0.statements } }
    var connections: Int { state.withLock { $0.connections } }
    var cancellations: Int { state.withLock { $0.cancellations } }

    /// Ends all connections, and takes no more.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
        for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    // MARK: - Messages

    private func serve(_ connection: Int32) {
        defer {
            state.withLock { $0.open.removeAll { $0 == connection } }
            close(connection)
        }
        guard let start = message(connection, typed: false)?.bytes, start.count >= 4 else { return }
        // A request to end a statement, by its number in PostgreSQL's protocol.
        guard start[0...1] != [0x04, 0xD2] else { return state.withLock { $0.cancellations += 1 } }
        state.withLock { $0.connections += 1 }
        send(connection, "R", [0, 0, 0, 0])
        send(connection, "K", [0, 0, 0, 1, 0, 0, 0, 2])
        send(connection, "Z", Array("I".utf8))
        var status = "I"
        while let (type, bytes) = message(connection, typed: true), type == UInt8(ascii: "Q") {
            let sql = String(decoding: bytes.dropLast(), as: UTF8.self)
            if !sql.hasPrefix("SET statement_timeout") { state.withLock { $0.statements.append(sql) } }
            guard !isSilent(sql) else { continue }
            if sql.hasPrefix("BEGIN") { status = "T" }
            if sql == "COMMIT" || sql == "ROLLBACK" { status = "I" }
            send(connection, "C", Array("OK\0".utf8))
            send(connection, "Z", Array(status.utf8))
        }
    }

    private func message(_ connection: Int32, typed: Bool) -> (type: UInt8, bytes: [UInt8])? {
        guard let head = bytes(connection, typed ? 5 : 4) else { return nil }
        let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length >= 4, let body = bytes(connection, length - 4) else { return nil }
        return (head[0], body)
    }

    private func bytes(_ connection: Int32, _ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let read = recv(connection, &part, part.count, 0)
            guard read > 0 else { return nil }
            bytes += part.prefix(read)
        }
        return bytes
    }

    private func send(_ connection: Int32, _ type: String, _ body: [UInt8]) {
        let length = body.count + 4
        let head = Array(type.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        _ = (head + body).withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, flags) }
    }
}
