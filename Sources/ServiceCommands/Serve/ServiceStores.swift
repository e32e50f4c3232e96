import CommandKit
import EarshotBroadcast
import EarshotCore
import EarshotFingerprints
import EarshotMusic
import EarshotNodes
import EarshotPieces
import EarshotPostgreSQL
import EarshotRecognition
import EarshotSQLite
import EarshotServer
import EarshotSharedCatalogs
import Foundation

/// The databases of a service: files, or one in PostgreSQL.
struct ServiceStores: Sendable {
    let accounts: any AccountStore
    let music: any MusicStore
    let guide: any GuideStore
    let fingerprints: any FingerprintTrackStore
    let pieces: any PieceStore
    /// The leases by which nodes share work.
    let leases: any LeaseStore
    /// The register of nodes; `nil` for databases that one service alone uses.
    let register: (any NodeRegister)?
    /// Counts attempts to log in for all nodes; `nil` for databases of one node.
    let attempts: (any AttemptStore)?
    /// Jobs that several nodes share; `nil` for files, which one service uses.
    let jobs: (any JobStore)?
    /// Manifests of catalogs that nodes share, and what tells of their changes; `nil` for files, which one service uses.
    let catalogs: (manifests: any ManifestStore, listener: PostgreSQLListener)?
    /// Bundles and catalogs that several nodes publish; `nil` for files, which one service uses.
    let publications: (any PublicationStore)?
    /// The last hours of channels that several nodes share; `nil` for files, which one service uses.
    let liveChannels: (any LiveChannelStore)?
    /// The number of connections to the database in use, and of those that wait for one; `nil` for files.
    let databaseLoad: (@Sendable () -> (used: Int, waiting: Int))?
    /// Copies the databases and looks for damage in them.
    private let maintaining: @Sendable (CatalogProvider) -> any StoreMaintenance

    /// Copies the stores of a service and looks for damage in them.
    func maintenance(with catalog: CatalogProvider) -> any StoreMaintenance { maintaining(catalog) }

    /// Databases in files; those that are not there are made.
    ///
    /// - Parameters:
    ///   - folder: The folder of the service.
    ///   - musicURL: The file of the music.
    ///   - guideURL: The file of the programme guide.
    init(folder: DataFolder, music musicURL: URL, guide guideURL: URL) throws(EarshotError) {
        let accounts = try SQLiteAccountStore(url: folder.accountsURL)
        let music = try SQLiteMusicStore(url: musicURL)
        let guide = try SQLiteGuideStore(url: guideURL)
        let fingerprints = try SQLiteFingerprintStore(url: folder.fingerprintsURL)
        let pieces = try SQLitePieceStore(url: folder.piecesURL)
        (self.accounts, self.music, self.guide, self.fingerprints, self.pieces) = (
            accounts, music, guide, fingerprints, pieces
        )
        (leases, register) = (MemoryLeaseStore(), nil)
        (attempts, databaseLoad) = (nil, nil)
        (jobs, catalogs, publications, liveChannels) = (nil, nil, nil, nil)
        maintaining = { catalog in
            ServedStores(
                folder: folder,
                music: music,
                accounts: accounts,
                guide: guide,
                fingerprints: fingerprints,
                pieces: pieces,
                catalog: catalog
            )
        }
    }

    /// One database in PostgreSQL; tables that are not there are made.
    ///
    /// - Parameters:
    ///   - folder: The folder of the service, which has the index of fingerprints.
    ///   - metrics: Counts and times the work with the database.
    /// - Throws: `storeUnavailable` if the server cannot be reached, `configurationInvalid` if it does not let one in, `storeDamaged` for a
    ///   database of a newer version.
    init(_ database: PostgreSQLOptions, folder: DataFolder, metrics: MetricRegistry) async throws(EarshotError) {
        let pool = try await DatabaseAccess.pool(database, .making) { work in
            metrics.countDatabaseWork(work.kind.rawValue, seconds: work.seconds, failure: work.failure)
        }
        databaseLoad = { pool.load }
        accounts = try await PostgreSQLAccountStore(pool)
        music = try await PostgreSQLMusicStore(pool)
        guide = try await PostgreSQLGuideStore(pool)
        fingerprints = try await PostgreSQLFingerprintStore(pool)
        pieces = try await PostgreSQLPieceStore(pool)
        let nodes = try await PostgreSQLNodeStore(pool)
        (leases, register) = (nodes, nodes)
        attempts = try await PostgreSQLAttemptStore(pool)
        jobs = try await PostgreSQLJobStore(pool)
        publications = try await PostgreSQLPublicationStore(pool)
        liveChannels = try await PostgreSQLLiveChannelStore(pool)
        catalogs = (try await PostgreSQLManifestStore(pool), PostgreSQLListener(database))
        maintaining = { _ in PostgreSQLMaintenance(database: database, folder: folder) }
    }
}
