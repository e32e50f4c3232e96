import EarshotCore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

extension RecognitionServer {
    func application() throws -> some ApplicationProtocol {
        let settings = settings
        var logger = parts.logger
        logger[metadataKey: "service"] = "earshot"
        let onRunning = parts.onRunning
        return Application(
            router: router(),
            server: try server(settings),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "earshot",
                backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(settings.connectionLimit)
            ),
            onServerRunning: { channel in await onRunning?(channel.localAddress?.port ?? settings.port) },
            logger: logger
        )
    }

    private func server(_ settings: ServiceSettings) throws -> HTTPServerBuilder {
        let shares = ConnectionShares(limit: max(16, settings.connectionLimit / 4), proxies: settings.trustedProxies)
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
        let tls = try Self.tls(settings)
        return HTTPServerBuilder { responder in
            ServiceChannel(
                http: HTTP1Channel(responder: responder, configuration: http),
                shares: shares,
                proxies: settings.trustedProxies,
                tls: tls
            )
        }
    }

    private static func tls(_ settings: ServiceSettings) throws(EarshotError) -> NIOSSLContext? {
        guard let certificateFile = settings.certificateFile, let keyFile = settings.privateKeyFile else { return nil }
        do {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificateFile).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem))
            )
            tls.minimumTLSVersion = .tlsv12
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw EarshotError(
                .configurationInvalid,
                "The certificate \(certificateFile) with the key \(keyFile) cannot be used: both are to be PEM files that belong together.",
                cause: error
            )
        }
    }

    // MARK: - Routes

    private func router() -> Router<RouterContext> {
        let router = Router(context: RouterContext.self, options: .autoGenerateHeadEndpoints)
        // From the outside to the inside: the first one sees a request first, and its response last.
        router.add(middleware: TraceMiddleware())
        router.add(middleware: AccessLogMiddleware(proxies: settings.trustedProxies))
        router.add(middleware: MetricsMiddleware(metrics: parts.metrics))
        router.add(middleware: HeadMiddleware())
        router.add(middleware: CrossOriginMiddleware(settings.allowedOrigins))
        router.add(middleware: SecurityHeadersMiddleware(isSecure: settings.isSecure))
        router.add(
            middleware: AuditMiddleware(
                log: AuditLog(folder: parts.folder),
                proxies: settings.trustedProxies,
                now: parts.now
            )
        )
        router.add(middleware: ErrorMiddleware(endpoints: endpoints.filter(\.isDescribed), now: parts.now))
        router.add(middleware: ContinueMiddleware())
        for endpoint in endpoints {
            router.on(endpoint.routerPath, method: endpoint.method) { [responder] request, context in
                try await responder.respond(endpoint, to: request, context)
            }
        }
        return router
    }
}
