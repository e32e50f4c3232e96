package import EarshotBroadcast
import EarshotCore
import EarshotMusic
package import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Serves the changes of a log of plays as server-sent events, and the state of stations.
///
/// | request | answer |
/// |---|---|
/// | `GET /events` | changes from now on; behind the header `Last-Event-ID`, or `?after=`, those that were missed first; `?channel=` may be repeated |
/// | `GET /stations` | the state of all stations as JSON |
///
/// Of each change the number is the event's id and its ``PlayEvent`` the event's name; the data is a ``PlayChange``. Where
/// changes that were asked for are no longer kept there is an event `log.incomplete`. A comment follows every
/// ``Options/heartbeat`` in which nothing happened.
package struct PlayEventServer: Sendable {
    /// The settings of the server.
    package struct Options: Sendable {
        /// The host name or IP address on which the server listens.
        package var host = "127.0.0.1"
        /// The port; 0 for any free port.
        package var port = 0
        /// The interval at which the log is checked for changes, in seconds.
        package var pollInterval = 0.5
        /// The time without an event after which a comment is sent, in seconds.
        package var heartbeat = 15.0
        /// The largest number of listeners.
        package var listenerLimit = 64
        /// Called with the port once the server accepts requests.
        package var onRunning: (@Sendable (Int) async -> Void)?

        /// Creates the default options: a free port on the loopback address.
        package init() {}
    }

    let store: any PlaylogStore
    let options: Options
    private let stations: @Sendable () async throws -> Data
    private let listeners = Listeners()

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - store: The log of plays.
    ///   - options: The options of the server.
    ///   - stations: Returns the state of all stations as JSON.
    package init(
        store: any PlaylogStore,
        options: Options = Options(),
        stations: @escaping @Sendable () async throws -> Data
    ) {
        (self.store, self.options, self.stations) = (store, options, stations)
    }

    /// Serves until the task is canceled.
    ///
    /// - Throws: `storeUnavailable` where the address is taken; `configurationInvalid` for one that cannot be listened on.
    package func run() async throws {
        var logger = Logger(label: "earshot.events")
        logger.logLevel = .critical
        let (options, announce) = (options, options.onRunning)
        let application = Application(
            router: router(),
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port),
                serverName: "earshot"
            ),
            onServerRunning: { channel in await announce?(channel.localAddress?.port ?? options.port) },
            logger: logger
        )
        do {
            try await application.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE || error.errnoCode == EACCES {
            throw EarshotError(
                .storeUnavailable,
                "\(options.host):\(options.port) is taken or may not be used: choose another address for events.",
                cause: error
            )
        } catch  where !(error is CancellationError) {
            throw EarshotError(
                .configurationInvalid,
                "Events cannot be served on \(options.host):\(options.port): name an address of this machine.",
                cause: error
            )
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.get("/stations") { _, _ in
            let data = try await stations()
            return Response(
                status: .ok,
                headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
            )
        }
        router.get("/events") { request, _ in try await events(request) }
        return router
    }

    // MARK: - Events

    private func events(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        let asked = request.headers[.lastEventID] ?? query["after"].map(String.init)
        var start: Int?
        if let asked {
            guard let number = Int(asked), number >= 0 else {
                throw HTTPError(.badRequest, message: "Last-Event-ID and after are the number of a change.")
            }
            start = number
        }
        let channels = Set(query.getAll("channel").map { EntityID<BroadcastChannel>(String($0)) })
        guard let place = listeners.enter(limit: options.listenerLimit) else {
            throw HTTPError(.serviceUnavailable, message: "Too many listen already.")
        }
        let last = try await store.counts().lastSequence
        // A number beyond the log is from before the log was created anew: then all changes are new to the listener.
        let after = start.map { $0 > last ? 0 : $0 } ?? last
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // Retained until the body ends in any way, which frees the slot.
                defer { withExtendedLifetime(place) {} }
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                var feed = PlayEventFeed(after: after, channels: channels)
                var quiet = 0.0
                while !Task.isCancelled {
                    let page = try await store.changes(after: feed.position, limit: 500)
                    let text = try feed.text(page)
                    if !text.isEmpty {
                        quiet = 0
                        try await writer.write(ByteBuffer(string: text))
                    } else if quiet >= options.heartbeat {
                        quiet = 0
                        try await writer.write(ByteBuffer(string: ":\n\n"))
                    }
                    guard !page.hasMore else { continue }
                    try await Task.sleep(for: .seconds(options.pollInterval))
                    quiet += options.pollInterval
                }
                try await writer.finish(nil)
            }
        )
    }

    /// Counts the listeners.
    private final class Listeners: Sendable {
        private let count = Mutex(0)

        final class Place: Sendable {
            let leave: @Sendable () -> Void
            init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
            deinit { leave() }
        }

        func enter(limit: Int) -> Place? {
            let isFree = count.withLock { count in
                guard count < limit else { return false }
                count += 1
                return true
            }
            return isFree ? Place { [self] in count.withLock { $0 -= 1 } } : nil
        }
    }
}

extension HTTPField.Name {
    /// The header with the id of the last event that a listener received.
    fileprivate static var lastEventID: HTTPField.Name {
        HTTPField.Name("Last-Event-ID") ?? .accept
    }
}
