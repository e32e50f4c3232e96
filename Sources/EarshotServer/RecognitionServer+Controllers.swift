import EarshotNodes
import EarshotRecognition
import Foundation

extension RecognitionServer.Features {
    /// Returns the controllers of all features but AcoustID's protocol.
    func controllers(
        _ settings: ServiceSettings,
        _ parts: RecognitionServer.Parts,
        _ access: RecognitionServer.Access
    ) -> [any Controller] {
        let (accounts, music, now) = (parts.accounts, parts.music, parts.now)
        let folders = MediaAccess(media: media)
        let stations = StationAccess(service: parts.stations.map { StationService($0, guide: parts.guide) })
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
                updateGauges: RecognitionServer.gauges(parts, access.queue, media, work)
            ),
            AccountController(
                accounts: accounts,
                pieces: parts.pieces,
                authenticator: access.authenticator,
                tokens: access.tokens,
                users: users,
                quota: access.quota
            ),
            HistoryController(accounts: accounts, services: services),
            RegistrationController(accounts: accounts, authenticator: access.authenticator, users: users),
            RecognitionController(runner: runner, services: services, accounts: accounts),
            TracklistController(
                jobs: tracklists,
                files: tracklistFiles,
                receiver: RecordingReceiver(files: tracklistFiles, disk: access.disk),
                runner: runner,
                authenticator: access.authenticator
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
                bundles: OfferedBundles(folder: parts.folder, shared: parts.publications, queue: access.queue),
                owners: owners
            ),
            AlbumController(runner: runner, services: services, music: music, fingerprints: parts.fingerprints),
            ReferenceController(
                catalog: parts.catalog,
                references: references,
                uploads: uploads,
                queue: access.queue,
                sources: ReferenceSources(media: media)
            ),
            TimedContentController(
                index: TimedContentIndex(parts.catalog),
                references: references,
                services: services,
                media: media,
                queue: access.queue
            ),
            CatalogController(
                catalog: parts.catalog,
                published: published,
                copy: CatalogCopy(parts.catalog, folder: parts.folder, disk: access.disk)
            ),
            JobController(jobs: jobs, catalog: parts.catalog, fetcher: fetcher, disk: access.disk),
            AssetController(access: folders),
            ExportController(access: folders),
            LibraryController(access: folders),
            PieceController(pieces: pieces),
            PieceDraftController(pieces: pieces),
            PieceRelationController(pieces: pieces),
            PiecePartController(pieces: pieces),
            PieceAudioController(pieces: pieces),
            PieceRecognitionController(pieces: pieces, runner: runner, queue: access.queue),
            PiecePageController(pieces: pieces, pages: pages),
            AuthorController(pieces: pieces, login: login, logins: userLogins, browsers: access.browsers),
            LoginListController(store: parts.pieces, accounts: accounts, logins: userLogins),
            ApplicationController(store: parts.pieces, accounts: accounts),
            LoginController(login: login, logins: userLogins, pages: pages),
            AuditController(log: AuditLog(folder: parts.folder)),
            StationController(access: stations, shutdown: shutdown, now: now),
            PlayController(access: stations, songs: parts.stations.map { PlayedSongs($0.store) }),
            RepeatController(access: stations),
            WebhookController(access: stations),
            BackupController(folder: parts.folder),
            ImportController(files: imports, jobs: jobs, disk: access.disk, catalog: parts.catalog, music: music),
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
                disk: access.disk,
                log: parts.log,
                began: now()
            ),
            ClientController(
                accounts: accounts,
                pieces: parts.pieces,
                authenticator: access.authenticator,
                keyring: access.keyring,
                quota: access.quota
            ),
        ]
        controllers.append(PageController(pages: pages, assets: assets, hasShells: access.browsers != nil))
        if let browsers = access.browsers {
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
        return controllers
    }

    /// Returns the endpoints of AcoustID's protocol; `nil` if fingerprints are not served.
    func acoustID(
        _ settings: ServiceSettings,
        _ parts: RecognitionServer.Parts,
        _ access: RecognitionServer.Access
    ) -> AcoustIDController? {
        guard let library = parts.fingerprints, let importer else { return nil }
        let perAddress = settings.fingerprintRequestsPerAddress
        return AcoustIDController(
            services: AcoustIDServices(
                library: library,
                music: parts.music,
                accounts: parts.accounts,
                authenticator: access.authenticator,
                users: users,
                quota: access.quota,
                queue: access.queue,
                requests: access.admission.requests,
                pace: RateLimiter(limit: settings.fingerprintRequestsPerSecond),
                addressPace: perAddress > 0 ? RateLimiter(limit: perAddress) : nil,
                importer: importer,
                settings: settings,
                now: parts.now
            )
        )
    }
}
