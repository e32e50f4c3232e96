public import EarshotAnalysis
public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import EarshotFingerprints
public import EarshotLibrary
public import EarshotMusic
public import EarshotPieces
public import EarshotRecognition
public import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle

/// The recognition service over HTTP.
///
/// It is given its stores and never opens one. ``run()`` serves until the process is told to end; requests that are under
/// way are finished.
public struct RecognitionServer: Service {
    /// What a service is made of.
    public struct Parts: Sendable {
        /// How it is set up.
        public var settings: ServiceSettings
        /// What is known of music.
        public var music: any MusicStore
        /// Clients, users and what they use.
        public var accounts: any AccountStore
        /// What is recognized.
        public var catalog: CatalogProvider
        /// Works, programmes and channels.
        public var guide: any GuideStore = MemoryGuideStore()
        /// Fingerprints of whole files, for clients of AcoustID's protocol; nothing where they are not served.
        public var fingerprints: FingerprintLibrary?
        /// Keeps the results of analyses of media; in memory where nothing else is said.
        public var analyses: any AnalysisStore = MemoryAnalysisStore()
        /// What media can be analyzed for.
        public var analyzers: [any AudioAnalyzer] = [
            LoudnessAnalyzer(), RhythmAnalyzer(), KeyAnalyzer(), SilenceAnalyzer(), WaveformAnalyzer(),
        ]
        /// Keeps what was read of the files in media folders; in memory where nothing else is said.
        public var folders: any FolderStore = MemoryFolderStore()
        /// Pieces that apps publish and open, and who publishes them.
        public var pieces: any PieceStore = MemoryPieceStore()
        /// What pieces are recognized by; without it nothing is heard in them, and they are not recognized.
        public var pieceCatalog: CatalogStore?
        /// Where the parts of pieces are kept besides the folder; nowhere where nothing is said.
        public var partStore: (any PartStore)?
        /// What listens to the sound of pieces and makes other formats of it.
        public var stemConverter: any StemConverter = InProcessStemConverter()
        /// Knows the music in the media folders; where nothing else is said, the tags of their files are read.
        public var mediaIndex: (any MediaIndex)?
        /// What decodes uploads.
        public var decoder: any UploadDecoder
        /// What makes pictures of the sizes asked for.
        public var pictures: (any PictureMaker)?
        /// Where uploads, published catalogs and backups go.
        public var folder: URL
        /// What is logged goes here.
        public var logger: Logger
        /// Where figures are kept.
        public var metrics = MetricRegistry()
        /// The time.
        public var now: @Sendable () -> Date = { Date() }
        /// Copies the stores into a folder that is not there yet; tells how much is done.
        public var backup: (@Sendable (URL, @escaping @Sendable (Double) -> Void) async throws(EarshotError) -> Void)?
        /// Looks for damage: one sentence for each fault.
        public var check: (@Sendable () async throws(EarshotError) -> [String])?
        /// Told the port, once requests are taken.
        public var onRunning: (@Sendable (Int) async -> Void)?

        /// The parts that every service has.
        public init(
            settings: ServiceSettings,
            music: any MusicStore,
            accounts: any AccountStore,
            catalog: CatalogProvider,
            decoder: any UploadDecoder,
            pictures: (any PictureMaker)?,
            folder: URL,
            logger: Logger
        ) {
            self.settings = settings
            self.music = music
            self.accounts = accounts
            self.catalog = catalog
            self.decoder = decoder
            self.pictures = pictures
            self.folder = folder
            self.logger = logger
        }
    }

    private let parts: Parts
    let core: ServiceCore

    /// A service.
    ///
    /// - Throws: What the stores throw; `configurationInvalid` for settings that do not go together.
    public init(_ parts: Parts) async throws(EarshotError) {
        self.parts = parts
        guard (parts.settings.certificateFile == nil) == (parts.settings.privateKeyFile == nil) else {
            throw EarshotError(
                .configurationInvalid,
                "TLS needs both a certificate and its private key: name the other one too."
            )
        }
        if let store = parts.partStore, parts.settings.pieceLimit > store.largest {
            throw EarshotError(
                .configurationInvalid,
                "pieceLimit is above the \(store.largest >> 30) GiB that \(store.name) takes in one part: make it smaller."
            )
        }
        core = try await ServiceCore(parts)
    }

    // MARK: - Running

    /// Serves until the task is cancelled or the process is told to end.
    ///
    /// - Throws: `configurationInvalid` for a certificate that cannot be used, `storeUnavailable` where the address is taken.
    public func run() async throws {
        let worker = JobWorker(core: core, backup: parts.backup, check: parts.check)
        try await core.media?.start()
        try await core.pieces.begin()
        try await core.jobs.start { order, progress throws(EarshotError) in try await worker.run(order, progress) }
        let core = core
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await withGracefulShutdownHandler {
                        try await application().run()
                    } onGracefulShutdown: {
                        // Listeners of jobs would keep their connections open, and the service with them.
                        core.isStopping = true
                        Task { await core.jobs.stop() }
                        Task { await core.media?.stop() }
                    }
                }
                group.addTask { await Self.care(core) }
                group.addTask { await Self.importFingerprints(core) }
                group.addTask { await Self.indexMedia(core) }
                group.addTask { await PieceAnalysisJob(core).run() }
                group.addTask { await PieceTidying(core).run() }
                // The others end only when they are cancelled.
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await stop()
            throw Self.explained(error, parts.settings)
        }
        await stop()
    }

    private func stop() async {
        core.isStopping = true
        await core.jobs.stop()
        await core.media?.stop()
        // Each is done whatever becomes of the other.
        await Self.attempt(core) { () async throws(EarshotError) in try await core.quota.flush() }
        await Self.attempt(core) { () async throws(EarshotError) in try core.live.keep() }
    }

    /// What has to be done from time to time.
    private static func care(_ core: ServiceCore) async {
        var ticks = 0
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            ticks += 1
            await attempt(core) { () async throws(EarshotError) in try await core.quota.flush() }
            if ticks % 12 == 0 {
                await keep(core)
                await attempt(core) { () async throws(EarshotError) in try await core.pieces.care(at: core.now()) }
                // What could not be imported before is tried again.
                core.importFingerprints()
            }
            if ticks % 720 == 0 {
                await attempt(core) { () async throws(EarshotError) in try await core.tokens.rotate(at: core.now()) }
            }
        }
    }

    /// Imports fingerprints as they are submitted, and what the last run has left at first.
    private static func importFingerprints(_ core: ServiceCore) async {
        core.importFingerprints()
        var told: String?
        for await _ in core.submitted {
            guard let fingerprints = core.fingerprints else { continue }
            await attempt(core) { () async throws(EarshotError) in
                do throws(EarshotError) {
                    try await fingerprints.importPending()
                } catch {
                    // At the end of the service: what is left is imported when it runs again.
                    guard error.code == .cancelled, Task.isCancelled else { throw error }
                }
            }
            // Told once, for it stays so until somebody mends it.
            let failure = fingerprints.index.mergeFailure?.message
            if let failure, failure != told {
                core.logger.error("Segments of fingerprints could not be merged", metadata: ["reason": "\(failure)"])
            }
            told = failure
        }
        // The stream ends with its task; the group would take an earlier end for that of the service.
        while (try? await Task.sleep(for: .seconds(3600))) != nil {}
    }

    /// Learns what is in the media folders.
    private static func indexMedia(_ core: ServiceCore) async {
        await core.media?.index.run()
        // The group would take an earlier end for that of the service.
        while (try? await Task.sleep(for: .seconds(3600))) != nil {}
    }

    private static func attempt(_ core: ServiceCore, _ work: () async throws(EarshotError) -> Void) async {
        do throws(EarshotError) {
            try await work()
        } catch {
            core.logger.error(
                core.isStopping ? "Something could not be kept" : "Care failed and is tried again",
                metadata: ["reason": "\(error.message)"]
            )
        }
    }

    /// Writes the last hours of channels, beside the queue of recognitions: while that is full they would not be kept.
    private static func keep(_ core: ServiceCore) async {
        let failure: EarshotError? = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                do throws(EarshotError) {
                    try core.live.keep()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        await attempt(core) { () async throws(EarshotError) in if let failure { throw failure } }
    }

    private static func explained(_ error: any Error, _ settings: ServiceSettings) -> any Error {
        if error is EarshotError || error is CancellationError { return error }
        if let error = error as? IOError, error.errnoCode == EADDRINUSE || error.errnoCode == EACCES {
            let reason = error.errnoCode == EACCES ? "may not be used by this user" : "is taken by another program"
            return EarshotError(
                .storeUnavailable,
                "Port \(settings.port) of \(settings.host) \(reason): choose another with --port.",
                cause: error
            )
        }
        return EarshotError(.internalError, "The service ended.", cause: error)
    }

    private func application() throws -> some ApplicationProtocol {
        let settings = parts.settings
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
        let patience = TimeAmount.nanoseconds(Int64(settings.idleTime.seconds * 1e9))
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [HeaderDeadline(patience), MalformedRequestAnswer()],
                idleTimeout: patience,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10,
                    maxHeaderListSize: 32 << 10,
                    maxHeaderFieldCount: 100
                )
            )
        )
        guard let certificateFile = settings.certificateFile, let keyFile = settings.privateKeyFile else {
            return plain
        }
        do {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificateFile).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem))
            )
            tls.minimumTLSVersion = .tlsv12
            return try .tls(plain, tlsConfiguration: tls)
        } catch {
            throw EarshotError(
                .configurationInvalid,
                "The certificate \(certificateFile) with the key \(keyFile) cannot be used: both are to be PEM files that belong together.",
                cause: error
            )
        }
    }

    // MARK: - Routes

    func router() -> Router<ServiceRequestContext> {
        let router = Router(context: ServiceRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestFrame(core: core, crossOrigin: CrossOrigin(parts.settings.allowedOrigins)))
        for endpoint in Endpoints.all {
            router.on(endpoint.routerPath, method: endpoint.method) { [core] request, context in
                try await Self.answer(endpoint, request, context, core)
            }
        }
        if let library = core.fingerprints { AcoustIDRoutes(core: core, library: library).add(to: router) }
        return router
    }

    private static func answer(
        _ endpoint: Endpoint,
        _ request: Request,
        _ context: ServiceRequestContext,
        _ core: ServiceCore
    ) async throws -> Response {
        let isOpen = endpoint.access == .covers && core.settings.coverArtAccess == .everybody
        guard endpoint.access != .open, !isOpen else {
            return try await endpoint.handler(Call(request: request, context: context, core: core, identity: .nobody))
        }
        if endpoint.isQueued { try core.queue.check() }
        if endpoint.access == .reader, request.headers[.authorization] == nil {
            return try await endpoint.handler(Call(request: request, context: context, core: core, identity: .nobody))
        }
        let authorization = request.headers[.authorization] ?? ""
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw EarshotError(
                .tokenRejected,
                "The request carries no token: send Authorization: Bearer TOKEN, with a token of POST /v1/tokens."
            )
        }
        let identity = try await core.identity(bearing: String(parts[1]))
        try check(endpoint.access, identity)
        if let module = endpoint.module, !identity.modules.contains(module) {
            throw EarshotError(
                .accessDenied,
                "Whoever asks is not entitled to \(module.rawValue): use a client identifier for which it is enabled."
            )
        }
        if let entitlement = endpoint.entitlement, !identity.entitlements.contains(entitlement) {
            throw EarshotError(
                .accessDenied,
                "The client is not entitled to \(entitlement.rawValue): the operator can grant it."
            )
        }
        let call = Call(request: request, context: context, core: core, identity: identity)
        let gate = endpoint.isLasting ? core.lastingGate : core.gate
        return try await gate.serve(identity.name) { try await endpoint.handler(call) }
    }

    private static func check(_ access: Endpoint.Access, _ identity: Identity) throws(EarshotError) {
        switch access {
        case .open, .client, .covers, .reader: break
        case .user:
            guard identity.user != nil else {
                throw EarshotError(
                    .accessDenied,
                    "This is for users: register one with POST /v1/users, and ask for a token with the user's serialised form."
                )
            }
        case .references:
            guard identity.mayChangeReferences else {
                throw EarshotError(
                    .accessDenied,
                    "This client may not see or change references: the operator can let it."
                )
            }
        case .media:
            guard identity.mayChangeReferences else {
                throw EarshotError(
                    .accessDenied,
                    "This client may not use the operator's media: the operator can let it, as one that may change references."
                )
            }
        case .admin:
            guard case .admin = identity else { throw EarshotError(.accessDenied, "This is for the operator.") }
        }
    }
}
