import CoreMetrics
import EarshotAPI
import EarshotCatalogs
package import EarshotCore
import EarshotFingerprints
import EarshotNodes
import EarshotRecognition
import EarshotSharedCatalogs
import EarshotStations
import Foundation
import Logging
import ServiceLifecycle

/// The recognition service over HTTP.
///
/// It is given its stores and never opens one. ``run()`` serves until the process is told to end; requests that are under
/// way are finished.
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
    /// Listens to pieces.
    let analysis: PieceAnalysisJob
    /// Removes what pieces have discarded.
    let cleanup: PieceCleanupJob
    /// Tells other nodes that this one lives; `nil` for the only node.
    let announcer: NodeAnnouncer?
    /// Searches a catalog together with other nodes; `nil` for a node that answers alone.
    let cluster: ClusterSearch?
    /// Counts wrong passwords.
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
    /// The work that only one node may do at a time.
    let work: NodeWork
    /// Samples the figures of the service.
    let state: StateRecorder
    let shutdown: ShutdownFlag

    /// Creates a service.
    ///
    /// - Throws: What the stores throw; `configurationInvalid` for settings that do not go together, and for a
    ///   certificate that cannot be used.
    package init(_ settings: ServiceSettings, _ parts: Parts) async throws(EarshotError) {
        try Self.check(settings, parts)
        let cluster = try await Self.clusterSearch(settings, parts)
        let parts = Self.joined(parts, to: cluster)
        self.settings = settings
        self.parts = parts
        self.cluster = cluster
        let (accounts, music, now, logger) = (parts.accounts, parts.music, parts.now, parts.logger)
        let shutdown = ShutdownFlag()
        let certificate = try Self.certificate(settings, logger)
        let queue = WorkQueue(width: settings.workers, limit: settings.queueLimit)

        // Access and admission.
        let keyring = try await Keyring(
            accounts,
            wrapping: parts.keyWrapping,
            memory: max(settings.tokenLifetime.seconds, settings.contentLifetime.seconds, LoginService.pageLifetime),
            keyLifetime: settings.keyLifetime.seconds,
            at: now()
        )
        let tokens = TokenIssuer(keyring: keyring, lifetime: settings.tokenLifetime.seconds)
        let browsers: BrowserAccess? =
            if settings.pages == .off { nil } else {
                BrowserAccess(
                    accounts,
                    client: try await ClientRegister(accounts).pageClient(at: now()),
                    keyring: keyring,
                    settings: settings
                )
            }
        let authenticator = Authenticator(accounts, tokens: tokens, browsers: browsers, now: now)
        let disk = DiskReserve(folder: parts.folder, reserve: settings.reservedSpace)
        let admission = AdmissionControl(
            disk: disk,
            queue: queue,
            requests: ConcurrencyLimiter(limit: settings.requestsPerClient),
            feeds: ConcurrencyLimiter(limit: LiveIndex.Options().channelLimit),
            uploads: ConcurrencyLimiter(limit: 4 * settings.requestsPerClient, userLimit: 4)
        )
        let quota = QuotaMeter(accounts, isShared: parts.isShared, node: parts.node)

        let state = StateRecorder(metrics: parts.metrics, queue: queue, connections: ConnectionCount(), now: now)

        // Features.
        let live = LiveChannels(folder: parts.folder, hours: settings.liveHours, now: now(), logger: logger)
        let media = try MediaService(
            settings,
            accounts: accounts,
            analyses: parts.analyses,
            analyzers: parts.analyzers,
            decoder: parts.fileDecoder ?? InProcessFileDecoder(analyzers: parts.analyzers),
            spool: parts.folder,
            folders: parts.folders,
            index: parts.mediaIndex,
            logger: logger,
            now: now
        )
        let work = NodeWork()
        let leases = LeaseKeeper(parts.leases, node: parts.node, work: work)
        let pieces = PieceService(
            settings,
            store: parts.pieces,
            folder: parts.folder,
            disk: disk,
            catalog: parts.pieceCatalog,
            partStore: parts.partStore,
            leases: leases,
            converter: parts.stemConverter,
            logger: logger,
            now: now
        )
        let place = try await BlockingWork.run { () throws(EarshotError) in try PlaceID.kept(in: parts.folder) }
        let (jobs, tracklists) = try await Self.jobQueues(parts, place, work)
        let tracklistFiles = TracklistFiles(folder: parts.folder)
        let importer = parts.fingerprints.map {
            FingerprintImporter($0, leases: leases, isShared: parts.isShared, logger: logger)
        }
        let users = UserRegistry(accounts: accounts, now: now)
        let logins = LoginGuard(parts.attempts, now: now)
        let userLogins = LoginRegister(store: parts.pieces, accounts: accounts, users: users)
        let login = LoginService(
            store: parts.pieces,
            logins: logins,
            // Half of the cores: comparing passwords must not keep recognitions waiting.
            queue: WorkQueue(width: max(1, settings.workers / 2), limit: 32),
            keyring: keyring,
            now: now
        )
        let addresses = SignedContentAddresses(keyring: keyring, lifetime: settings.contentLifetime.seconds, now: now)
        let services = RecognitionServiceFactory(
            music: music,
            guide: parts.guide,
            catalog: parts.catalog,
            queue: queue,
            criteria: settings.criteria,
            addresses: addresses,
            pictures: parts.pictures,
            now: now
        ) { signature, heard throws(EarshotError) in try live.places(of: signature, heard: heard) }
        let uploads = UploadReader(
            decoder: parts.decoder,
            folder: parts.folder,
            disk: disk,
            queue: queue,
            // Their decoders mostly wait, and each client's for as long as it likes.
            liveQueue: WorkQueue(
                width: settings.workers * 4,
                limit: settings.queueLimit,
                clientLimit: settings.workers * 2,
                shortTurn: .infinity,
                yields: true
            )
        )
        let runner = RecognitionRunner(uploads: uploads, catalog: parts.catalog, quota: quota, metrics: parts.metrics)
        let owners = ResourceOwners(accounts)
        let references = ReferenceWriter(catalog: parts.catalog, queue: queue, owners: owners)
        let published = OfferedCatalogs(folder: parts.folder, shared: parts.publications, queue: queue)
        let imports = ImportFiles(folder: parts.folder)
        let fetcher = SafeFetcher(mayReachPrivateAddresses: settings.mayFetchPrivateAddresses)
        let access = MediaAccess(media: media)
        let stations = StationAccess(service: parts.stations.map { StationService($0, guide: parts.guide) })
        let assets = PageAssets(folder: settings.pagesFolder)
        let pages = try PageRenderer(assets, browsers: browsers, settings: settings)

        var controllers: [any Controller] = [
            ServiceController(
                music: music,
                accounts: accounts,
                work: work,
                shutdown: shutdown,
                catalog: parts.catalog,
                metrics: parts.metrics,
                pages: pages,
                tellsState: settings.operationsPort == nil,
                updateGauges: Self.gauges(parts, queue, media)
            ),
            AccountController(
                accounts: accounts,
                pieces: parts.pieces,
                authenticator: authenticator,
                tokens: tokens,
                users: users,
                quota: quota
            ),
            HistoryController(accounts: accounts, services: services),
            RegistrationController(accounts: accounts, authenticator: authenticator, users: users),
            RecognitionController(runner: runner, services: services, accounts: accounts),
            TracklistController(
                jobs: tracklists,
                files: tracklistFiles,
                receiver: RecordingReceiver(files: tracklistFiles, disk: disk),
                runner: runner,
                authenticator: authenticator
            ),
            SearchController(services: services, music: music),
            MusicController(services: services, music: music),
            ContentController(
                services: services,
                pictureQueue: WorkQueue(width: settings.workers, limit: 4 * settings.queueLimit)
            ),
            CoverArtController(music: music, addresses: addresses),
            BroadcastController(
                runner: runner,
                services: services,
                live: live,
                shutdown: shutdown,
                owners: owners
            ),
            GuideController(guide: parts.guide),
            LiveChannelController(live: live, guide: parts.guide),
            BundleController(
                bundles: OfferedBundles(folder: parts.folder, shared: parts.publications, queue: queue),
                owners: owners
            ),
            AlbumController(runner: runner, services: services, music: music, fingerprints: parts.fingerprints),
            ReferenceController(
                catalog: parts.catalog,
                references: references,
                uploads: uploads,
                queue: queue,
                sources: ReferenceSources(media: media)
            ),
            TimedContentController(
                index: TimedContentIndex(parts.catalog),
                references: references,
                services: services,
                media: media,
                queue: queue
            ),
            CatalogController(
                catalog: parts.catalog,
                published: published,
                copy: CatalogCopy(parts.catalog, folder: parts.folder, disk: disk)
            ),
            JobController(jobs: jobs, catalog: parts.catalog, fetcher: fetcher, disk: disk),
            AssetController(access: access),
            ExportController(access: access),
            LibraryController(access: access),
            PieceController(pieces: pieces),
            PieceDraftController(pieces: pieces),
            PieceRelationController(pieces: pieces),
            PiecePartController(pieces: pieces),
            PieceAudioController(pieces: pieces),
            PieceRecognitionController(pieces: pieces, runner: runner, queue: queue),
            PiecePageController(pieces: pieces, pages: pages),
            AuthorController(pieces: pieces, login: login, logins: userLogins, browsers: browsers),
            LoginListController(store: parts.pieces, accounts: accounts, logins: userLogins),
            ApplicationController(store: parts.pieces, accounts: accounts),
            LoginController(login: login, logins: userLogins, pages: pages),
            AuditController(log: AuditLog(folder: parts.folder)),
            StationController(access: stations, shutdown: shutdown, now: now),
            PlayController(access: stations, songs: parts.stations.map { PlayedSongs($0.store) }),
            RepeatController(access: stations),
            WebhookController(access: stations),
            BackupController(folder: parts.folder),
            ImportController(files: imports, jobs: jobs, disk: disk, catalog: parts.catalog, music: music),
            TrackController(music: music),
            LogController(log: parts.log),
            SettingsController(settings: parts.settings, file: parts.settingsFile),
            StateController(
                recorder: state,
                catalog: parts.catalog,
                music: music,
                accounts: accounts,
                published: published,
                jobs: jobs,
                media: media,
                disk: disk,
                log: parts.log,
                began: now()
            ),
            ClientController(
                accounts: accounts,
                pieces: parts.pieces,
                authenticator: authenticator,
                keyring: keyring,
                quota: quota
            ),
        ]
        controllers.append(PageController(pages: pages, assets: assets, hasShells: browsers != nil))
        if let browsers {
            controllers.append(SessionController(browsers: browsers))
            controllers.append(
                MusicPageController(services: services, music: music, pages: pages)
            )
            controllers.append(
                SignInController(
                    browsers: browsers,
                    accounts: accounts,
                    login: login,
                    logins: userLogins,
                    pages: pages
                )
            )
            controllers.append(OperatorSessionController(browsers: browsers, pieces: parts.pieces))
        }
        if let library = parts.fingerprints, let importer {
            let perAddress = settings.fingerprintRequestsPerAddress
            acoustID = AcoustIDController(
                services: AcoustIDServices(
                    library: library,
                    music: music,
                    accounts: accounts,
                    authenticator: authenticator,
                    users: users,
                    quota: quota,
                    queue: queue,
                    requests: admission.requests,
                    pace: RateLimiter(limit: settings.fingerprintRequestsPerSecond),
                    addressPace: perAddress > 0 ? RateLimiter(limit: perAddress) : nil,
                    importer: importer,
                    settings: settings,
                    now: now
                )
            )
        } else {
            acoustID = nil
        }
        let all = controllers.flatMap(\.endpoints) + (acoustID?.endpoints ?? [])
        operations = settings.operationsPort == nil ? [] : all.filter(\.isOperational)
        let endpoints = settings.operationsPort == nil ? all : all.filter { !$0.isOperational }
        self.endpoints = endpoints + [.description(of: endpoints, schemas: Schemas.all)]
        faults =
            browsers == nil
            ? nil : PageFaults(pages: pages, authenticator: authenticator, settings: settings, now: now)
        responder = EndpointResponder(settings: settings, authenticator: authenticator, admission: admission, now: now)
        worker = JobWorker(
            settings: settings,
            folder: parts.folder,
            disk: disk,
            catalog: parts.catalog,
            references: references,
            published: published,
            fetcher: fetcher,
            decoder: parts.decoder,
            queue: queue,
            now: now,
            accounts: accounts,
            maintenance: parts.maintenance,
            imports: ImportWorker(files: imports, music: music, catalog: parts.catalog, queue: queue),
            concealed: Self.concealedFolders(settings, parts)
        )
        tracklistWorker = TracklistWorker(
            files: tracklistFiles,
            decoder: parts.decoder,
            catalog: parts.catalog,
            services: services,
            accounts: accounts,
            quota: quota,
            disk: disk,
            now: now,
            concealed: Self.concealedFolders(settings, parts)
        )
        (self.tracklists, self.tracklistFiles) = (tracklists, tracklistFiles)
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
                    place: place,
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
            live: live,
            pieces: pieces,
            keyring: keyring,
            publications: parts.publications,
            leases: leases,
            importer: importer,
            queues: [jobs, tracklists],
            register: parts.register,
            certificate: certificate,
            sessions: browsers?.sessions,
            shutdown: shutdown,
            logger: logger,
            now: now
        )
        self.certificate = certificate
        (self.leases, self.work) = (leases, work)
        (self.queue, self.jobs, self.media, self.pieces) = (queue, jobs, media, pieces)
        (self.logins, self.importer, self.shutdown, self.state) = (logins, importer, shutdown, state)
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
                "clusterAddress is of use for a catalog that nodes share: set a bucket, and a database in PostgreSQL."
            )
        }
        if let store = parts.partStore, settings.pieceLimit > store.largest {
            throw EarshotError(
                .configurationInvalid,
                "pieceLimit is above the \(store.largest >> 30) GiB that \(store.name) takes in one part: make it smaller."
            )
        }
    }

    /// The queue of jobs, and that of tracklists.
    private static func jobQueues(
        _ parts: Parts,
        _ place: PlaceID,
        _ work: NodeWork
    ) async throws(EarshotError) -> (jobs: JobQueue, tracklists: JobQueue) {
        let (job, tracklist) = ("job", "tracklist")
        let archive = AccountJobArchive(parts.accounts, queues: [job, tracklist])
        let store: any JobStore
        if let shared = parts.jobs {
            store = shared
            // A database that was filled from a folder has the jobs of the folder as they were kept there.
            try await archive.move(to: shared, at: place)
        } else {
            store = try await MemoryJobStore(archive, now: parts.now)
        }
        let node = JobQueue.Node(id: parts.node, place: place, work: work)
        return (
            JobQueue(job, in: store, node: node, logger: parts.logger),
            JobQueue(tracklist, in: store, node: node, limits: TracklistController.limits, logger: parts.logger)
        )
    }

    private static func certificate(
        _ settings: ServiceSettings,
        _ logger: Logger
    ) throws(EarshotError) -> ServerCertificate? {
        guard let file = settings.certificateFile, let key = settings.privateKeyFile else { return nil }
        return try ServerCertificate(file, key: key, logger: logger)
    }

    /// The folders that no answer names.
    static func concealedFolders(_ settings: ServiceSettings, _ parts: Parts) -> ConcealedFolders {
        ConcealedFolders(
            [parts.folder] + parts.otherFolders + [settings.exportFolder].compactMap(\.self),
            roots: settings.mediaRoots
        )
    }

    /// The number of recognitions, exports and analyses that run or wait.
    private static func load(_ queue: WorkQueue, _ media: MediaService?) async -> Int {
        let own = queue.load.running + queue.load.waiting
        guard let media else { return own }
        let (exports, analyses) = (await media.exports?.load, await media.analyses.load)
        return own + (exports?.running ?? 0) + (exports?.waiting ?? 0) + analyses.running + analyses.waiting
            + media.queue.load.running + media.queue.load.waiting
    }

    /// Sets the metrics that are read off rather than counted.
    private static func gauges(
        _ parts: Parts,
        _ queue: WorkQueue,
        _ media: MediaService?
    ) -> @Sendable () async -> Void {
        { [metrics = parts.metrics, catalog = parts.catalog] in
            func set(_ name: String, _ value: Int) { metrics.makeMeter(label: name, dimensions: []).set(Int64(value)) }
            let load = queue.load
            set("earshot_work_running", load.running)
            set("earshot_work_waiting", load.waiting)
            set("earshot_catalog_references", catalog.referenceCount)
            if let status = catalog.shared?.status {
                set("earshot_catalog_generation", status.generation)
                set("earshot_catalog_segments", status.segmentCount)
                set("earshot_catalog_segments_missing", status.missing.count)
                set("earshot_catalog_segments_elsewhere", status.elsewhereCount)
                set("earshot_catalog_bytes", status.size)
                set("earshot_catalog_silence_seconds", Int(status.silence))
            }
            guard let media else { return }
            let (exports, analyses) = (await media.exports?.load, await media.analyses.load)
            set("earshot_exports_running", exports?.running ?? 0)
            set("earshot_exports_waiting", exports?.waiting ?? 0)
            set("earshot_analyses_running", analyses.running)
            set("earshot_analyses_waiting", analyses.waiting)
            set("earshot_media_work_running", media.queue.load.running)
            set("earshot_media_work_waiting", media.queue.load.waiting)
            set("earshot_media_streams", media.places.count)
        }
    }
}

extension Schemas {
    /// The schemas of all features by name.
    static let all = [
        common, matches, tracklists, accounts, history, search, albums, coverArt, broadcasts, stations, media, pieces,
        admin, operation, imports, timedContent,
    ].reduce(into: [:]) { $0.merge($1) { $1 } }
}
