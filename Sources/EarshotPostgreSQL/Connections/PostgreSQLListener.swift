import EarshotCore
import Foundation
import Synchronization

/// Hints of a server that something has changed, on a connection of their own.
///
/// Hints may get lost: while the connection is away, or on the way through a pooler. Whoever takes them reads the database now and then as
/// well, and never depends on what a hint says.
package final class PostgreSQLListener: Sendable {
    private let reception: PostgreSQLReception

    /// A listener. It connects when the first stream begins, and again whenever the connection was lost; it closes when the last stream
    /// has ended.
    package init(_ options: PostgreSQLOptions) { reception = PostgreSQLReception(options) }

    // The receiving thread does not retain the listener, so this ends it.
    deinit { reception.finish() }

    /// Returns the hints of a channel: what was told with each. `nil` says that the database is to be read anew, as hints may have been lost; it
    /// comes first of all, once the server tells of what follows, and after each loss of the connection.
    ///
    /// The stream ends when the listener is gone. Of hints that nobody takes the oldest are lost, and a `nil` comes in their place.
    ///
    /// - Parameter channel: The name of the channel, as in ``PostgreSQLConnection/notify(_:_:)``.
    package func hints(_ channel: String) -> AsyncStream<String?> { reception.hints(channel) }
}

/// Receives notifications, on a thread of its own that waits for the socket.
private final class PostgreSQLReception: Sendable {
    /// The most hints of a stream that wait to be taken.
    private static let room = 256

    private struct Stream {
        let channel: String
        let continuation: AsyncStream<String?>.Continuation
        /// `true` if the server has sent notifications of the channel since the stream began.
        var isCurrent = false
    }

    private struct State {
        var streams: [Int: Stream] = [:]
        var next = 0
        var isRunning = false
        var isClosed = false
    }

    private let options: PostgreSQLOptions
    private let state = Mutex(State())
    /// A pipe that wakes the thread: the end to read, and the end to write. Negative if the system has no descriptors left: the thread then
    /// wakes each second.
    private let wakers: (read: Int32, write: Int32)

    init(_ options: PostgreSQLOptions) {
        self.options = options
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        } else {
            ends = [-1, -1]
        }
        wakers = (ends[0], ends[1])
    }

    deinit {
        for end in [wakers.read, wakers.write] where end >= 0 { close(end) }
    }

    // MARK: - Streams

    func hints(_ channel: String) -> AsyncStream<String?> {
        let (stream, continuation) = AsyncStream<String?>.makeStream(bufferingPolicy: .bufferingNewest(Self.room))
        let (id, starts) = state.withLock { state -> (Int?, Bool) in
            guard !state.isClosed else { return (nil, false) }
            state.next += 1
            state.streams[state.next] = Stream(channel: channel, continuation: continuation)
            defer { state.isRunning = true }
            return (state.next, !state.isRunning)
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.end(id) }
        if starts {
            let thread = Thread { self.run() }
            thread.name = "earshot.postgresql.listener"
            thread.start()
        } else {
            wake()
        }
        return stream
    }

    private func end(_ id: Int) {
        state.withLock { _ = $0.streams.removeValue(forKey: id) }
        wake()
    }

    func finish() {
        let streams = state.withLock { state in
            state.isClosed = true
            defer { state.streams = [:] }
            return state.streams.values.map(\.continuation)
        }
        // Outside of the lock, because finishing a stream calls `end`, which takes it.
        for stream in streams { stream.finish() }
        wake()
    }

    private func wake() {
        // The result is ignored: if the pipe is full, the thread wakes anyway.
        _ = withUnsafeBytes(of: UInt8(0)) { write(wakers.write, $0.baseAddress, 1) }
    }

    // MARK: - Thread

    private func run() {
        var backoff = Backoff(
            initial: MediaTime(value: 100, timescale: 1_000),
            cap: MediaTime(value: 5, timescale: 1),
            jitter: 0.5...1
        )
        while !stops() {
            do throws(PostgreSQLFailure) {
                let connection = try PostgreSQLConnection(options)
                state.withLock { state in
                    for id in state.streams.keys { state.streams[id]?.isCurrent = false }
                }
                try receive(connection) { backoff.reset() }
            } catch {
                pause(backoff.failed(random: .random(in: 0...1)))
            }
        }
    }

    /// Returns `true` if no stream is left, so that the thread ends. The next stream starts another one.
    private func stops() -> Bool {
        state.withLock { state in
            if state.streams.isEmpty { state.isRunning = false }
            return !state.isRunning
        }
    }

    /// Receives until no stream is left.
    private func receive(
        _ connection: PostgreSQLConnection,
        onListening: () -> Void
    ) throws(PostgreSQLFailure) {
        var channels: Set<String> = []
        while true {
            let wanted = state.withLock { Set($0.streams.values.map(\.channel)) }
            // A new stream may begin before the connection is closed: `run` checks again, under the lock.
            guard !wanted.isEmpty else { return }
            for channel in channels.subtracting(wanted).sorted() { try connection.unlisten(channel) }
            for channel in wanted.subtracting(channels).sorted() { try connection.listen(channel) }
            channels = wanted
            onListening()
            begin(channels)
            for notification in try connection.notifications(orUntilReadable: wakers.read) { tell(notification) }
            drain()
        }
    }

    /// Sends `nil` to streams whose channels the server notifies of from now on.
    private func begin(_ channels: Set<String>) {
        let streams = state.withLock { state -> [Stream] in
            let new = state.streams.filter { !$0.value.isCurrent && channels.contains($0.value.channel) }
            for id in new.keys { state.streams[id]?.isCurrent = true }
            return Array(new.values)
        }
        for stream in streams { stream.continuation.yield(nil) }
    }

    private func tell(_ notification: PostgreSQLNotification) {
        let streams = state.withLock { state in
            state.streams.values.filter { $0.channel == notification.channel }.map(\.continuation)
        }
        for stream in streams {
            if case .dropped = stream.yield(notification.payload) { stream.yield(nil) }
        }
    }

    /// Waits for a time, or until the thread is woken.
    private func pause(_ time: MediaTime) {
        var descriptor = pollfd(fd: wakers.read, events: Int16(POLLIN), revents: 0)
        // bounded: the cap of the backoff is 5 s
        _ = poll(&descriptor, 1, Int32(time.seconds * 1_000))
        drain()
    }

    /// Empties the pipe.
    private func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakers.read, &bytes, bytes.count) > 0 {}
    }
}
