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
    /// The stores and closures that a service is given.
    package struct Parts: Sendable {
        /// The music store.
        package var music: any MusicStore
        /// The store of clients and users.
        package var accounts: any AccountStore
        /// Says that other nodes may use the same store of clients.
        package var isShared = false
        /// Counts attempts to log in for all nodes; `nil` to count them in memory.
        package var attempts: (any AttemptStore)?
        /// The catalog that is searched.
        package var catalog: CatalogProvider
        /// Encrypts the keys in the store of clients; `nil` to keep them as they are.
        package var keyWrapping: KeyWrapping?
        /// The store of works, programs and channels.
        package var guide: any GuideStore = MemoryGuideStore()
        /// The folder of a monitor of stations; `nil` to show none.
        package var stations: StationSources?
        /// Fingerprints of whole files, for clients of AcoustID's protocol; `nil` to serve none.
        package var fingerprints: FingerprintLibrary?
        /// The results of analyses of media. Default: in memory.
        package var analyses: any AnalysisStore = MemoryAnalysisStore()
        /// The analyses that media can have.
        package var analyzers = AudioAnalyzers.usual
        /// Decodes files of the media folders. Default: in the process of the service, with the analyzers.
        package var fileDecoder: (any FileDecoder)?
        /// The index of the media folders. Default: in memory.
        package var folders: any FolderStore = MemoryFolderStore()
        /// The store of pieces and their authors.
        package var pieces: any PieceStore = MemoryPieceStore()
        /// The catalog by which pieces are recognized; `nil` to recognize none and analyze none.
        package var pieceCatalog: CatalogStore?
        /// A store that keeps the parts of pieces besides the folder: several nodes need one.
        package var partStore: (any ObjectStore)?
        /// The name of this node.
        package var node = NodeID.random()
        /// The leases by which nodes share work. Default: in memory, of the only node.
        package var leases: any LeaseStore = MemoryLeaseStore()
        /// The register in which the node announces itself; `nil` for the only node.
        package var register: (any NodeRegister)?
        /// The jobs, where several nodes share them. Default: in memory, and kept in the store of clients.
        package var jobs: (any JobStore)?
        /// Bundles and catalogs that nodes share; `nil` to keep them in the folder.
        package var publications: SharedPublications?
        /// The last hours of channels, where nodes share them, and what tells that there are new ones; `nil` to keep them in the folder alone.
        package var liveChannels: (store: any LiveChannelStore, hints: AsyncStream<String?>)?
        /// Analyzes and converts the audio of pieces.
        package var stemConverter: any StemConverter = InProcessStemConverter()
        /// The music in the media folders. Default: read from the tags of the files.
        package var mediaIndex: (any MediaIndex)?
        /// Decodes uploads.
        package var decoder: any UploadDecoder
        /// Scales pictures.
        package var pictures: (any PictureMaker)?
        /// The folder of uploads, published catalogs and backups.
        package var folder: URL
        /// Folders besides ``folder`` in which stores lie.
        package var otherFolders: [URL] = []
        /// The log.
        package var logger: Logger
        /// The last lines of the log. They are kept if ``logger`` writes into it.
        package var log = LogBuffer()
        /// The settings as the operator reads them.
        package var settings: [SettingRecord] = []
        /// The file that settings were read from; `nil` for none.
        package var settingsFile: String?
        /// The number of connections to the database in use, and of those that wait for one; `nil` for databases in files.
        package var databaseLoad: (@Sendable () -> (used: Int, waiting: Int))?
        /// The metrics.
        package var metrics = MetricRegistry()
        /// The time.
        package var now: @Sendable () -> Date = { Date() }
        /// Copies the stores and looks for damage in them; `nil` where the service can do neither.
        package var maintenance: (any StoreMaintenance)?
        /// Called with the port once the service takes requests.
        package var onRunning: (@Sendable (Int) async -> Void)?
        /// Called with the port at which the state of the service is told, once it is.
        package var onOperationsRunning: (@Sendable (Int) async -> Void)?
        /// Called with the port at which other nodes ask, once they can.
        package var onClusterRunning: (@Sendable (Int) async -> Void)?

        /// The parts that every service has.
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
