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
public import Logging

extension RecognitionServer {
    /// The stores and closures that a service is given.
    public struct Parts: Sendable {
        /// The music store.
        public var music: any MusicStore
        /// The store of clients and users.
        public var accounts: any AccountStore
        /// The catalog that is searched.
        public var catalog: CatalogProvider
        /// The store of works, programs and channels.
        public var guide: any GuideStore = MemoryGuideStore()
        /// Fingerprints of whole files, for clients of AcoustID's protocol; `nil` to serve none.
        public var fingerprints: FingerprintLibrary?
        /// The results of analyses of media. Default: in memory.
        public var analyses: any AnalysisStore = MemoryAnalysisStore()
        /// The analyses that media can have.
        public var analyzers: [any AudioAnalyzer] = [
            LoudnessAnalyzer(), RhythmAnalyzer(), KeyAnalyzer(), SilenceAnalyzer(), WaveformAnalyzer(),
        ]
        /// The index of the media folders. Default: in memory.
        public var folders: any FolderStore = MemoryFolderStore()
        /// The store of pieces and their authors.
        public var pieces: any PieceStore = MemoryPieceStore()
        /// The catalog by which pieces are recognized; `nil` to recognize none and analyze none.
        public var pieceCatalog: CatalogStore?
        /// A store that keeps the parts of pieces besides the folder.
        public var partStore: (any PartStore)?
        /// Analyzes and converts the audio of pieces.
        public var stemConverter: any StemConverter = InProcessStemConverter()
        /// The music in the media folders. Default: read from the tags of the files.
        public var mediaIndex: (any MediaIndex)?
        /// Decodes uploads.
        public var decoder: any UploadDecoder
        /// Scales pictures.
        public var pictures: (any PictureMaker)?
        /// The folder of uploads, published catalogs and backups.
        public var folder: URL
        /// The log.
        public var logger: Logger
        /// The metrics.
        public var metrics = MetricRegistry()
        /// The time.
        public var now: @Sendable () -> Date = { Date() }
        /// Copies the stores into a new folder, and reports progress from 0 to 1.
        public var backup: (@Sendable (URL, @escaping @Sendable (Double) -> Void) async throws(EarshotError) -> Void)?
        /// Looks for damage, and returns a sentence for each fault.
        public var check: (@Sendable () async throws(EarshotError) -> [String])?
        /// Called with the port once the service takes requests.
        public var onRunning: (@Sendable (Int) async -> Void)?

        /// The parts that every service has.
        public init(
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
