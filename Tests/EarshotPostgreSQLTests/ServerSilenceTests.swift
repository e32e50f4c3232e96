import EarshotCore
import Foundation
import Synchronization
import Testing

@testable import EarshotPostgreSQL

@Suite("A database that does not answer", .timeLimit(.minutes(1)))
struct ServerSilenceTests {
    @Test("one piece of work asks a silent server again every other second, until it answers")
    func turns() {
        var silence = ServerSilence()
        #expect(silence.admit(at: 0) == .usual)
        #expect(silence.failed(from: 0, to: 0.9) == false)
        #expect(silence.admit(at: 1) == .usual)
        #expect(silence.failed(from: 1, to: 2) == true)
        silence.ended(.usual, isAnswered: false)
        #expect(silence.admit(at: 3.9) == nil)
        #expect(silence.admit(at: 4) == .probe)
        #expect(silence.admit(at: 9) == nil)
        #expect(silence.failed(from: 4, to: 9) == true)
        silence.ended(.probe, isAnswered: false)
        #expect(silence.admit(at: 10.9) == nil)
        #expect(silence.admit(at: 11) == .probe)
        // It was refused or canceled, which says nothing of a server that is silent.
        silence.ended(.probe, isAnswered: false)
        #expect(silence.admit(at: 11) == .probe)
        silence.ended(.probe, isAnswered: true)
        #expect(silence.admit(at: 11) == .usual && silence.admit(at: 11) == .usual)
        #expect(!silence.isSilent)
    }

    @Test("after a piece of work waited for a silent server, those that come next are refused without a connection")
    func pool() async throws {
        let server = try SilentServer()
        var options = PostgreSQLOptions("postgresql://ada@127.0.0.1:\(server.port)/x?connect_timeout=2&sslmode=disable")
        options.connections = 1
        let pause = Mutex(0)
        // The time goes on by a connection, as if each took three seconds.
        let clock = MediaClock(
            read: { MediaTime(value: Int64(server.connections * 3 + pause.withLock { $0 }), timescale: 1) },
            wait: { _ in }
        )
        let refused = Mutex(0)
        let pool = PostgreSQLPool(
            options,
            clock: clock,
            observer: { work in
                if work.failure == .storeUnavailable, work.seconds == nil { refused.withLock { $0 += 1 } }
            },
            interference: nil
        )
        // The second one waits for the connection of the first, or comes after it.
        async let other = failure(of: pool)
        #expect(await [failure(of: pool), other] == [.storeUnavailable, .storeUnavailable])
        for _ in 0..<3 { #expect(await failure(of: pool) == .storeUnavailable) }
        #expect(server.connections == 1)
        pause.withLock { $0 = 2 }
        for _ in 0..<3 { #expect(await failure(of: pool) == .storeUnavailable) }
        #expect(server.connections == 2)
        // Of the three before the pause all, and of those after it the two that asked nothing.
        #expect(refused.withLock { $0 } >= 5)
    }

    private func failure(of pool: PostgreSQLPool) async -> EarshotError.Code? {
        do throws(EarshotError) {
            try await pool.read { connection in try connection.execute("SELECT 1") }
            return nil
        } catch {
            return error.code
        }
    }
}

/// A server on the loopback interface that takes connections and says nothing.
private final class SilentServer: Sendable {
    let port: UInt16
    private let socket: Int32
    private let taken = Mutex<[Int32]>([])

    init() throws {
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
                    && fcntl(socket, F_SETFL, O_NONBLOCK) == 0
            }
        }
        guard isBound else {
            close(socket)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        self.socket = socket
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        for connection in taken.withLock({ $0 }) { close(connection) }
        close(socket)
    }

    /// The number of connections so far.
    var connections: Int {
        taken.withLock { taken in
            while case let connection = accept(socket, nil, nil), connection >= 0 { taken.append(connection) }
            return taken.count
        }
    }
}
