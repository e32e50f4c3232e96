import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

extension RecognitionServer {
    func application() -> some ApplicationProtocol {
        let settings = settings
        let onRunning = parts.onRunning
        var application = Application(
            router: router(endpoints, proxies: settings.trustedProxies, isSecure: settings.isSecure),
            server: server(
                connections: settings.connectionLimit,
                proxies: settings.trustedProxies,
                certificate: certificate
            ),
            configuration: configuration(settings.host, settings.port, connections: settings.connectionLimit),
            // Services end after the server itself, so that the state can be read until the last request is answered.
            services: (settings.operationsPort.map { [OperationsServer(server: self, port: $0) as any Service] } ?? [])
                + (cluster.map { [NodeServer(server: self, cluster: $0) as any Service] } ?? []),
            onServerRunning: { channel in await onRunning?(channel.localAddress?.port ?? settings.port) },
            logger: logger
        )
        if let cluster {
            // A node that other nodes cannot ask must not answer clients: it would send them requests, and do none of their work.
            application.beforeServerStarts {
                await cluster.untilListening()
                guard cluster.announced != nil else { throw CancellationError() }
            }
        }
        return application
    }

    /// The most open connections of the port for the state of the service.
    private static let operationsConnections = 64

    /// Returns the application that shows the state of the service on its own port. It has neither TLS nor proxies,
    /// because it is for the operator only.
    fileprivate func operationsApplication(_ port: Int) -> some ApplicationProtocol {
        let onRunning = parts.onOperationsRunning
        return Application(
            router: router(operations, proxies: .none, isSecure: false),
            server: server(connections: Self.operationsConnections, proxies: .none, certificate: nil),
            configuration: configuration(settings.operationsHost, port, connections: Self.operationsConnections),
            onServerRunning: { channel in await onRunning?(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    /// The most open connections of the port for other nodes. One address may have a quarter of them.
    private static let nodeConnections = 1_024

    /// Returns the application that other nodes ask, at an address of its own. It needs no TLS and no proxies, because messages are sealed.
    fileprivate func nodeApplication(_ cluster: ClusterSearch) -> some ApplicationProtocol {
        let onRunning = parts.onClusterRunning
        let (host, port) = (cluster.address.host, cluster.address.port)
        return Application(
            router: nodeRouter(cluster.controller.endpoints),
            server: server(connections: Self.nodeConnections, proxies: .none, certificate: nil),
            configuration: configuration(host, port, connections: Self.nodeConnections),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                cluster.noteListening(at: port)
                await onRunning?(port)
            },
            logger: logger
        )
    }

    private var logger: Logger {
        var logger = parts.logger
        logger[metadataKey: "service"] = "earshot"
        return logger
    }

    private func configuration(_ host: String, _ port: Int, connections: Int) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: .hostname(host, port: port),
            serverName: "earshot",
            backlog: 1024,
            availableConnectionsDelegate: MaximumAvailableConnections(connections)
        )
    }

    private func server(
        connections: Int,
        proxies: TrustedProxies,
        certificate: ServerCertificate?
    ) -> HTTPServerBuilder {
        let shares = ConnectionShares(of: connections, proxies: proxies, count: state.connections)
        let patience = TimeAmount.nanoseconds(Int64(settings.idleTime.seconds * 1e9))
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [HeaderDeadline(patience), MalformedRequestResponder()],
            idleTimeout: patience,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 << 10,
                maxHeaderListSize: 32 << 10,
                maxHeaderFieldCount: 100
            )
        )
        return HTTPServerBuilder { responder in
            ServiceChannel(
                http: HTTP1Channel(responder: responder, configuration: http),
                shares: shares,
                proxies: proxies,
                certificate: certificate
            )
        }
    }

    // MARK: - Routes

    private func router(
        _ endpoints: [Endpoint],
        proxies: TrustedProxies,
        isSecure: Bool
    ) -> Router<RouterContext> {
        let router = Router(context: RouterContext.self, options: .autoGenerateHeadEndpoints)
        // From the outside to the inside: the first middleware sees a request first, and its response last.
        router.add(middleware: TraceMiddleware())
        router.add(middleware: AccessLogMiddleware(proxies: proxies))
        router.add(middleware: MetricsMiddleware(metrics: parts.metrics))
        router.add(middleware: HeadMiddleware())
        router.add(middleware: CrossOriginMiddleware(settings.allowedOrigins))
        router.add(middleware: SecurityHeadersMiddleware(isSecure: isSecure))
        router.add(
            middleware: FailurePaceMiddleware(
                limit: settings.failuresPerSecond,
                proxies: proxies,
                metrics: parts.metrics
            )
        )
        router.add(
            middleware: AuditMiddleware(
                log: AuditLog(folder: parts.folder),
                proxies: proxies,
                now: parts.now
            )
        )
        router.add(
            middleware: ErrorMiddleware(
                endpoints: endpoints.filter(\.isDescribed),
                folders: Self.concealedFolders(settings, parts),
                now: parts.now,
                page: { [faults] in await faults?.response(to: $0, $1, $2) }
            )
        )
        router.add(middleware: ContinueMiddleware())
        add(endpoints, to: router)
        return router
    }

    /// Returns the router for other nodes. It has no access log, because the request of the client is logged where it arrived, and no delay of
    /// failures, because the asking node must learn of one at once.
    private func nodeRouter(_ endpoints: [Endpoint]) -> Router<RouterContext> {
        let router = Router(context: RouterContext.self)
        router.add(middleware: TraceMiddleware())
        router.add(middleware: MetricsMiddleware(metrics: parts.metrics))
        router.add(
            middleware: ErrorMiddleware(
                endpoints: endpoints,
                folders: Self.concealedFolders(settings, parts),
                now: parts.now,
                page: { _, _, _ in nil }
            )
        )
        router.add(middleware: ContinueMiddleware())
        add(endpoints, to: router)
        return router
    }

    private func add(_ endpoints: [Endpoint], to router: Router<RouterContext>) {
        for endpoint in endpoints {
            router.on(endpoint.routerPath, method: endpoint.method) { [responder] request, context in
                try await responder.respond(endpoint, to: request, context)
            }
        }
    }
}

/// Answers other nodes at an address of its own.
private struct NodeServer: Service {
    let server: RecognitionServer
    let cluster: ClusterSearch

    func run() async throws {
        do {
            try await server.nodeApplication(cluster).run()
        } catch {
            throw RecognitionServer.explained(
                error,
                cluster.address.host,
                cluster.address.port,
                setting: "clusterAddress",
                hostSetting: "clusterAddress"
            )
        }
    }
}

/// Serves the state of the service at a port of its own.
private struct OperationsServer: Service {
    let server: RecognitionServer
    let port: Int

    func run() async throws {
        do {
            try await server.operationsApplication(port).run()
        } catch {
            throw RecognitionServer.explained(
                error,
                server.settings.operationsHost,
                port,
                setting: "operationsPort",
                hostSetting: "operationsHost"
            )
        }
    }
}
