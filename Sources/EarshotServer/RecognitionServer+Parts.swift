package import EarshotAnalysis
package import EarshotBroadcast
package import EarshotCatalogs
package import EarshotFingerprints
package import EarshotLibrary
package import EarshotMusic
package import EarshotNodes
package import EarshotPieces
package import EarshotRecognition
package import Foundation
package import Logging

extension RecognitionServer {
    /// The stores, decoders and closures that a service uses.
    package struct Parts: Sendable {
        /// The music store.
        package var music: any MusicStore
        /// The store of clients and users.
        package var accounts: any AccountStore
        /// `true` if other nodes may use the same store of clients.
        package var isShared = false
        /// Counts attempts to log in for all nodes; `nil` to count them in memory.
        package var attempts: (any AttemptStore)?
        /// The catalog that is searched.
        package var catalog: CatalogProvider
        /// Encrypts the keys in the store of clients; `nil` to keep them as they are.
        package var keyWrapping: KeyWrapping?
        /// The store of works, programs and channels.
        package var guide: any GuideStore = MemoryGuideStore()
        /// The log and states of a station monitor; `nil` to show no stations.
        package var stations: StationSources?
        /// Fingerprints of whole files, for clients of AcoustID's protocol; `nil` to serve none.
        package var fingerprints: FingerprintLibrary?
        /// The results of analyses of media. Default: in memory.
        package var analyses: any AnalysisStore = MemoryAnalysisStore()
        /// The analyzers for files of the media folders.
        package var analyzers = AudioAnalyzers.usual
        /// Decodes files of the media folders. Default: in the process of the service, with the analyzers.
        package var fileDecoder: (any FileDecoder)?
        /// The index of the media folders. Default: in memory.
        package var folders: any FolderStore = MemoryFolderStore()
        /// The store of pieces and their authors.
        package var pieces: any PieceStore = MemoryPieceStore()
        /// The catalog that recognizes pieces; `nil` to neither recognize nor analyze pieces.
        package var pieceCatalog: CatalogStore?
        /// An object store for the parts of pieces besides the folder, which several nodes need; `nil` for the folder only.
        package var partStore: (any ObjectStore)?
        /// The id of this node.
        package var node = NodeID.random()
        /// The leases with which nodes share work. Default: in memory, for a single node.
        package var leases: any LeaseStore = MemoryLeaseStore()
        /// The register in which the node announces itself; `nil` for a single node.
        package var register: (any NodeRegister)?
        /// The store of jobs that several nodes share; `nil` to hold jobs in memory and in the store of clients.
        package var jobs: (any JobStore)?
        /// The bundles and catalogs that nodes share; `nil` to keep them in the folder.
        package var publications: SharedPublications?
        /// The store of live channels that nodes share, and hints of new chunks; `nil` to keep live channels in the folder only.
        package var liveChannels: (store: any LiveChannelStore, hints: AsyncStream<String?>)?
        /// The converter that analyzes and converts the audio of pieces.
        package var stemConverter: any StemConverter = InProcessStemConverter()
        /// The index of music in the media folders; `nil` to read it from the tags of the files.
        package var mediaIndex: (any MediaIndex)?
        /// The decoder of uploads.
        package var decoder: any UploadDecoder
        /// The scaler of pictures; `nil` to send pictures as stored.
        package var pictures: (any PictureMaker)?
        /// The folder of uploads, published catalogs and backups.
        package var folder: URL
        /// Further folders that contain stores.
        package var otherFolders: [URL] = []
        /// The logger.
        package var logger: Logger
        /// The buffer of the last log lines. ``logger`` must write into it.
        package var log = LogBuffer()
        /// The settings, to show to the operator.
        package var settings: [SettingRecord] = []
        /// The file from which settings were read; `nil` for none.
        package var settingsFile: String?
        /// Returns the number of database connections in use and of waiting requests; `nil` for databases in files.
        package var databaseLoad: (@Sendable () -> (used: Int, waiting: Int))?
        /// The registry of metrics.
        package var metrics = MetricRegistry()
        /// Returns the current time.
        package var now: @Sendable () -> Date = { Date() }
        /// The backup and the check of all stores; `nil` if the service can do neither.
        package var maintenance: (any StoreMaintenance)?
        /// Called with the port once the service accepts requests.
        package var onRunning: (@Sendable (Int) async -> Void)?
        /// Called with the port of `/health`, `/ready` and `/metrics` once it accepts requests.
        package var onOperationsRunning: (@Sendable (Int) async -> Void)?
        /// Called with the port for other nodes once it accepts requests.
        package var onClusterRunning: (@Sendable (Int) async -> Void)?

        /// Creates the parts with those that every service needs.
        package init(
            music: any MusicStore,
            accounts: any AccountStore,
            catalog: CatalogProvider,
            decoder: any UploadDecoder,
            pictures: (any PictureMaker)?,
            folder: URL,
            logger: Logger
        ) {
            self.music = music
            self.accounts = accounts
            self.catalog = catalog
            self.decoder = decoder
            self.pictures = pictures
            self.folder = folder
            self.logger = logger
        }
    }
}
