import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation

extension RecognitionServer {
    /// The parts of a service behind its endpoints.
    struct Features: Sendable {
        let shutdown: ShutdownFlag
        /// Samples the figures of the service.
        let state: StateRecorder
        let live: LiveChannels
        /// The service of the media folders; `nil` if there are none.
        let media: MediaService?
        let work: NodeWork
        let leases: LeaseKeeper
        let pieces: PieceService
        /// The identifier of the service's folder, by which nodes distinguish folders.
        let place: PlaceID
        let jobs: JobQueue
        /// Makes tracklists, one after another.
        let tracklists: JobQueue
        let tracklistFiles: TracklistFiles
        /// Imports submitted fingerprints; `nil` if fingerprints are not served.
        let importer: FingerprintImporter?
        let users: UserRegistry
        /// Counts wrong passwords.
        let logins: LoginGuard
        let userLogins: LoginRegister
        let login: LoginService
        let addresses: SignedContentAddresses
        let services: RecognitionServiceFactory
        let uploads: UploadReader
        let runner: RecognitionRunner
        let owners: ResourceOwners
        let references: ReferenceWriter
        let published: OfferedCatalogs
        let imports: ImportFiles
        let fetcher: SafeFetcher
        let assets: PageAssets
        let pages: PageRenderer

        /// Creates the features of a service.
        ///
        /// - Throws: The errors of the stores; `configurationInvalid` for settings that do not go together.
        init(_ settings: ServiceSettings, _ parts: Parts, _ access: Access) async throws(EarshotError) {
            let (accounts, music, now, logger) = (parts.accounts, parts.music, parts.now, parts.logger)
            shutdown = ShutdownFlag()
            state = StateRecorder(metrics: parts.metrics, queue: access.queue, connections: ConnectionCount(), now: now)

            live = LiveChannels(
                folder: parts.folder,
                hours: settings.liveHours,
                shared: parts.liveChannels?.store,
                now: now,
                logger: logger
            )
            media = try MediaService(
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
            work = NodeWork()
            leases = LeaseKeeper(parts.leases, node: parts.node, work: work)
            pieces = PieceService(
                settings,
                store: parts.pieces,
                folder: parts.folder,
                disk: access.disk,
                catalog: parts.pieceCatalog,
                partStore: parts.partStore,
                leases: leases,
                converter: parts.stemConverter,
                logger: logger,
                now: now
            )
            place = try await BlockingWork.run { () throws(EarshotError) in try PlaceID.kept(in: parts.folder) }
            (jobs, tracklists) = try await Self.jobQueues(parts, place, work)
            tracklistFiles = TracklistFiles(folder: parts.folder)
            importer = parts.fingerprints.map { [leases] in
                FingerprintImporter($0, leases: leases, isShared: parts.isShared, logger: logger)
            }
            users = UserRegistry(accounts: accounts, now: now)
            logins = LoginGuard(parts.attempts, now: now)
            userLogins = LoginRegister(store: parts.pieces, accounts: accounts, users: users)
            login = LoginService(
                store: parts.pieces,
                logins: logins,
                // Half of the cores, and a queue of its own, so that hashing passwords does not hold up recognitions.
                queue: WorkQueue(width: max(1, settings.workers / 2), limit: 32),
                keyring: access.keyring,
                now: now
            )
            addresses = SignedContentAddresses(
                keyring: access.keyring,
                lifetime: settings.contentLifetime.seconds,
                now: now
            )
            services = RecognitionServiceFactory(
                music: music,
                guide: parts.guide,
                catalog: parts.catalog,
                queue: access.queue,
                criteria: settings.criteria,
                addresses: addresses,
                pictures: parts.pictures,
                now: now
            ) { [live] signature, heard throws(EarshotError) in try live.places(of: signature, heard: heard) }
            uploads = UploadReader(
                decoder: parts.decoder,
                folder: parts.folder,
                disk: access.disk,
                queue: access.queue,
                // More turns than cores: decoders of live uploads mostly wait for bytes, for as long as the client sends.
                liveQueue: WorkQueue(
                    width: settings.workers * 4,
                    limit: settings.queueLimit,
                    clientLimit: settings.workers * 2,
                    shortTurn: .infinity,
                    yields: true
                )
            )
            runner = RecognitionRunner(
                uploads: uploads,
                catalog: parts.catalog,
                quota: access.quota,
                metrics: parts.metrics
            )
            owners = ResourceOwners(accounts)
            references = ReferenceWriter(
                catalog: parts.catalog,
                queue: access.queue,
                owners: owners,
                unsettled: parts.catalog.shared.map { _ in UnsettledAdditions(accounts: accounts, now: now) }
            )
            published = OfferedCatalogs(folder: parts.folder, shared: parts.publications, queue: access.queue)
            imports = ImportFiles(folder: parts.folder)
            fetcher = SafeFetcher(mayReachPrivateAddresses: settings.mayFetchPrivateAddresses)
            assets = PageAssets(folder: settings.pagesFolder)
            pages = try PageRenderer(assets, browsers: access.browsers, settings: settings)
        }

        /// Creates the queue of jobs and that of tracklists.
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
                // A database that was filled from a folder has the folder's jobs as values, not in the job store.
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
    }
}
