package import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import Foundation
import Logging
import ServiceLifecycle

/// The recognition service over HTTP.
///
/// It gets its stores as ``Parts`` and never opens one. ``run()`` serves until the process receives a signal; running requests
/// are finished.
package struct RecognitionServer: Service {
    let settings: ServiceSettings
    let parts: Parts
    /// The endpoints of all controllers, without ``operations``.
    let endpoints: [Endpoint]
    /// The endpoints that have a port of their own.
    let operations: [Endpoint]
    let responder: EndpointResponder
    /// Tells browsers why a page failed; `nil` without pages for people.
    let faults: PageFaults?
    let queue: WorkQueue
    let jobs: JobQueue
    let worker: JobWorker
    /// Makes tracklists, one after another.
    let tracklists: JobQueue
    let tracklistFiles: TracklistFiles
    let tracklistWorker: TracklistWorker
    /// The service of the media folders; `nil` if there are none.
    let media: MediaService?
    let pieces: PieceService
    /// Analyzes pieces.
    let analysis: PieceAnalysisJob
    /// Removes parts that pieces have discarded.
    let cleanup: PieceCleanupJob
    /// Announces this node to other nodes; `nil` for the only node.
    let announcer: NodeAnnouncer?
    /// Searches a catalog together with other nodes; `nil` for a node that answers alone.
    let cluster: ClusterSearch?
    /// Limits attempts to log in.
    let logins: LoginGuard
    /// The importer of submitted fingerprints; `nil` if fingerprints are not served.
    let importer: FingerprintImporter?
    /// The endpoints of AcoustID's protocol; `nil` if fingerprints are not served.
    let acoustID: AcoustIDController?
    /// The certificate for TLS; `nil` for none.
    let certificate: ServerCertificate?
    let maintenance: Maintenance
    /// Takes leases of this node.
    let leases: LeaseKeeper
    /// The work of this node that only one node may do at a time.
    let work: NodeWork
    /// Samples the figures of the service.
    let state: StateRecorder
    let shutdown: ShutdownFlag

    /// Creates a service.
    ///
    /// - Throws: Errors of the stores; `configurationInvalid` for contradictory settings, and for a
    ///   certificate that cannot be used.
    package init(_ settings: ServiceSettings, _ parts: Parts) async throws(EarshotError) {
        try Self.check(settings, parts)
        let cluster = try await Self.clusterSearch(settings, parts)
        let parts = Self.joined(parts, to: cluster)
        self.settings = settings
        self.parts = parts
        self.cluster = cluster
        let (accounts, music, now, logger) = (parts.accounts, parts.music, parts.now, parts.logger)
        let certificate = try Self.certificate(settings, logger)
        let access = try await Access(settings, parts)
        let features = try await Features(settings, parts, access)
        let (queue, quota, disk) = (access.queue, access.quota, access.disk)
        let (media, pieces, leases, work) = (features.media, features.pieces, features.leases, features.work)
        let (jobs, tracklists, shutdown) = (features.jobs, features.tracklists, features.shutdown)

        let controllers = features.controllers(settings, parts, access)
        acoustID = features.acoustID(settings, parts, access)
        let all = controllers.flatMap(\.endpoints) + (acoustID?.endpoints ?? [])
        operations = settings.operationsPort == nil ? [] : all.filter(\.isOperational)
        let endpoints = settings.operationsPort == nil ? all : all.filter { !$0.isOperational }
        self.endpoints = endpoints + [.description(of: endpoints, schemas: Schemas.all)]
        faults =
            access.browsers == nil
            ? nil
            : PageFaults(pages: features.pages, authenticator: access.authenticator, settings: settings, now: now)
        responder = EndpointResponder(
            settings: settings,
            authenticator: access.authenticator,
            admission: access.admission,
            now: now
        )
        worker = JobWorker(
            settings: settings,
            folder: parts.folder,
            disk: disk,
            catalog: parts.catalog,
            references: features.references,
            published: features.published,
            fetcher: features.fetcher,
            decoder: parts.decoder,
            queue: queue,
            now: now,
            accounts: accounts,
            maintenance: parts.maintenance,
            imports: ImportWorker(files: features.imports, music: music, catalog: parts.catalog, queue: queue),
            concealed: Self.concealedFolders(settings, parts)
        )
        tracklistWorker = TracklistWorker(
            files: features.tracklistFiles,
            decoder: parts.decoder,
            catalog: parts.catalog,
            services: features.services,
            accounts: accounts,
            quota: quota,
            disk: disk,
            now: now,
            concealed: Self.concealedFolders(settings, parts)
        )
        (self.tracklists, tracklistFiles) = (tracklists, features.tracklistFiles)
        analysis = PieceAnalysisJob(
            pieces: pieces,
            catalog: parts.catalog,
            decoder: parts.decoder,
            leases: leases,
            shutdown: shutdown,
            logger: logger
        )
        cleanup = PieceCleanupJob(
            pieces: pieces,
            leases: leases,
            now: now,
            shutdown: shutdown,
            logger: logger
        )
        announcer = parts.register.map { register in
            NodeAnnouncer(
                register: register,
                record: NodeRecord(
                    id: parts.node,
                    name: ProcessInfo.processInfo.hostName,
                    place: features.place,
                    cacheBytes: cluster?.cacheBytes
                ),
                address: { [cluster] in cluster?.announced?.text },
                generation: { [shared = parts.catalog.shared] in shared?.generation ?? 0 },
                others: { [shared = parts.catalog.shared] nodes in shared?.place(on: nodes) },
                work: work,
                load: { await Self.load(queue, media) },
                shutdown: shutdown,
                logger: logger
            )
        }
        maintenance = Maintenance(
            quota: quota,
            live: features.live,
            pieces: pieces,
            keyring: access.keyring,
            publications: parts.publications,
            leases: leases,
            importer: features.importer,
            queues: [jobs, tracklists],
            register: parts.register,
            certificate: certificate,
            sessions: access.browsers?.sessions,
            additions: features.references.unsettled,
            shutdown: shutdown,
            logger: logger,
            now: now
        )
        self.certificate = certificate
        (self.leases, self.work) = (leases, work)
        (self.queue, self.jobs, self.media, self.pieces) = (queue, jobs, media, pieces)
        (logins, importer) = (features.logins, features.importer)
        (self.shutdown, state) = (shutdown, features.state)
    }

    private static func check(_ settings: ServiceSettings, _ parts: Parts) throws(EarshotError) {
        guard (settings.certificateFile == nil) == (settings.privateKeyFile == nil) else {
            throw EarshotError(
                .configurationInvalid,
                "TLS needs both a certificate and its private key: name the other one too."
            )
        }
        guard settings.clusterAddress == nil || parts.catalog.shared != nil && parts.register != nil else {
            throw EarshotError(
                .configurationInvalid,
                "clusterAddress needs a catalog that nodes share: set a bucket, and a database in PostgreSQL."
            )
        }
        if let store = parts.partStore, settings.pieceLimit > store.largest {
            throw EarshotError(
                .configurationInvalid,
                "pieceLimit is above the \(store.largest >> 30) GiB that \(store.name) takes in one part: make it smaller."
            )
        }
    }

    private static func certificate(
        _ settings: ServiceSettings,
        _ logger: Logger
    ) throws(EarshotError) -> ServerCertificate? {
        guard let file = settings.certificateFile, let key = settings.privateKeyFile else { return nil }
        return try ServerCertificate(file, key: key, logger: logger)
    }

    /// Returns the folders whose paths no answer may contain.
    static func concealedFolders(_ settings: ServiceSettings, _ parts: Parts) -> ConcealedFolders {
        ConcealedFolders(
            [parts.folder] + parts.otherFolders + [settings.exportFolder].compactMap(\.self),
            roots: settings.mediaRoots
        )
    }
}

extension Schemas {
    /// The schemas of all features by name.
    static let all = [
        common, matches, tracklists, accounts, history, search, albums, coverArt, broadcasts, stations, media, pieces,
        admin, operation, imports, timedContent,
    ].reduce(into: [:]) { $0.merge($1) { $1 } }
}
