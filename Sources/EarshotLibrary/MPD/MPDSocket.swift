import EarshotCore
import Foundation

/// A connected socket: an owner for its descriptor.
///
/// Its calls block.
///
/// Unchecked, because the compiler cannot see that a connection calls it under its lock only.
final class MPDSocket: @unchecked Sendable {
    /// The reason for which a socket cannot be used.
    enum Failure: Error {
        /// It cannot be reached, or the connection is lost, in words.
        case lost(String)
        /// The time has passed.
        case timedOut
        /// The work was canceled.
        case cancelled
    }

    /// The time until which somebody waits.
    struct Patience {
        let clock: MediaClock
        /// The end of waiting; `nil` for none.
        let end: MediaTime?
        let isCancelled: () -> Bool

        /// The time after which a waiting socket looks whether its work was canceled, in milliseconds.
        private static let slice: Int32 = 100

        /// Waits for a descriptor.
        func wait(for events: Int32, on descriptor: Int32) throws(Failure) {
            while true {
                guard !isCancelled() else { throw .cancelled }
                var slice = Self.slice
                if let end {
                    let rest = end - clock.now
                    guard rest > .zero else { throw .timedOut }
                    slice = Int32(min(Double(slice), (rest.seconds * 1_000).rounded(.up)))
                }
                var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
                // A signal ends waiting too.
                if poll(&entry, 1, slice) > 0 { return }
            }
        }
    }

    private let descriptor: Int32

    /// Connects. Looking up a host's name has no limit of time but the system's own.
    init(_ place: MPDAddress.Place, _ patience: Patience) throws(Failure) {
        switch place {
        case .socket(let path):
            let descriptor = try Self.made(AF_UNIX)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            // The address has room for the path and a zero.
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    Result { () throws(Failure) in try Self.connect(descriptor, address, size, patience) }
                }
            }
            try Self.opened(descriptor, result)
            self.descriptor = descriptor
        case .host(let host, let port):
            descriptor = try Self.connected(host, port, patience)
        }
    }

    deinit { close(descriptor) }

    /// Sends all bytes.
    func send(_ bytes: [UInt8], _ patience: Patience) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try patience.wait(for: Int32(POLLOUT), on: descriptor)
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if !Self.isTransient(errno) {
                throw .lost(Self.reason(errno))
            }
        }
    }

    /// Receives some bytes.
    ///
    /// - Throws: `lost` at the end of the connection.
    func receive(_ patience: Patience) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            try patience.wait(for: Int32(POLLIN), on: descriptor)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { return Array(bytes.prefix(count)) }
            if count == 0 { throw .lost("it closed the connection") }
            if !Self.isTransient(errno) { throw .lost(Self.reason(errno)) }
        }
    }

    /// `true` if there is something to receive, or the connection has ended.
    var isReadable: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    // MARK: - Connecting

    private static func connected(_ host: String, _ port: UInt16, _ patience: Patience) throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = kind
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, "\(port)", &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0 else { throw .lost(String(cString: gai_strerror(status))) }
        var failure = Failure.lost("the host has no address")
        var next = found
        while let entry = next {
            next = entry.pointee.ai_next
            guard let address = entry.pointee.ai_addr else { continue }
            do throws(Failure) {
                let descriptor = try made(entry.pointee.ai_family)
                let size = entry.pointee.ai_addrlen
                let result = Result { () throws(Failure) in try connect(descriptor, address, size, patience) }
                try opened(descriptor, result)
                return descriptor
            } catch {
                // Another address may do, unless nobody waits any more.
                guard case .lost = error else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private static func connect(
        _ descriptor: Int32,
        _ address: UnsafePointer<sockaddr>,
        _ size: socklen_t,
        _ patience: Patience
    ) throws(Failure) {
        guard Foundation.connect(descriptor, address, size) != 0 else { return }
        guard errno == EINPROGRESS || errno == EINTR else { throw .lost(reason(errno)) }
        try patience.wait(for: Int32(POLLOUT), on: descriptor)
        var status: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &length) == 0, status == 0 else {
            throw .lost(reason(status))
        }
    }

    private static func opened(_ descriptor: Int32, _ result: Result<Void, Failure>) throws(Failure) {
        if case .failure = result { close(descriptor) }
        try result.get()
    }

    private static var kind: Int32 {
        #if canImport(Darwin)
            SOCK_STREAM
        #else
            Int32(SOCK_STREAM.rawValue)
        #endif
    }

    /// A socket that does not block and that programs started from here do not get.
    private static func made(_ family: Int32) throws(Failure) -> Int32 {
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .lost(reason(errno)) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // A connection that waits for changes would not notice that the other machine has gone.
        var alive: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &alive, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            // A daemon that has gone away is an error of the write, and no signal to the process.
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return descriptor
    }

    private static func isTransient(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
