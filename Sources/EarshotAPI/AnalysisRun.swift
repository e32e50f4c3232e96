public import EarshotCore
public import Foundation

/// A request to analyze files of a service.
public struct AnalysisRequest: Hashable, Sendable, Codable {
    // JSON keys keep their spelling: clients know them.
    private enum CodingKeys: String, CodingKey {
        case folder
        case analyzers = "analysers"
    }

    /// A folder: the name of a media folder, and a path below it: `music`, `music/Album`.
    public var folder: String
    /// The analyses: `loudness`, `rhythm`, `key`, `silence`, `waveform`; all if `nil`.
    public var analyzers: [String]?

    /// A request.
    package init(folder: String, analyzers: [String]? = nil) {
        self.folder = folder
        self.analyzers = analyzers
    }
}

/// A run of analyses over a folder.
public struct AnalysisRun: Hashable, Sendable, Codable {
    /// A file of which an analysis failed.
    public struct FileFailure: Hashable, Sendable, Codable {
        private enum CodingKeys: String, CodingKey {
            case asset
            case code
            case message
            case analyzer = "analyser"
        }

        /// The file.
        public var asset: String
        /// The analysis.
        public var analyzer: String
        /// The stable name of the failure.
        public var code: String
        /// One sentence for technical staff.
        public var message: String

        /// A failure.
        package init(asset: String, analyzer: String, code: String, message: String) {
            self.asset = asset
            self.analyzer = analyzer
            self.code = code
            self.message = message
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, folder, state, total, done, unchanged, failed, failureCounts, failures, audioSeconds, error, created
        case finished
        case analyzers = "analysers"
        case analyzed = "analysed"
    }

    /// The identifier.
    public var id: String
    /// The folder.
    public var folder: String
    /// The analyses.
    public var analyzers: [String]
    /// The state of the run.
    public var state: JobRecord.State
    /// The number of files; `nil` until they were counted.
    public var total: Int?
    /// Files that are done.
    public var done: Int
    /// Files that were analyzed.
    public var analyzed: Int
    /// Files of which everything was known already.
    public var unchanged: Int
    /// Files of which something failed, now or in an earlier run.
    public var failed: Int
    /// The number of failures by error code.
    public var failureCounts: [String: Int]
    /// The failures; the first thousand where there are more.
    public var failures: [FileFailure]
    /// Seconds of audio that were analyzed.
    public var audioSeconds: Double
    /// The error of the run as a whole.
    public var error: Failure.Body?
    /// The time of the request.
    public var created: Date
    /// The time at which the run ended.
    public var finished: Date?

    /// A run that has not begun.
    package init(id: String, folder: String, analyzers: [String], created: Date) {
        self.id = id
        self.folder = folder
        self.analyzers = analyzers
        self.created = created
        state = .waiting
        (done, analyzed, unchanged, failed) = (0, 0, 0, 0)
        (failureCounts, failures) = ([:], [])
        audioSeconds = 0
    }
}

/// The analyses of a file.
public struct AssetAnalyses: Hashable, Sendable, Codable {
    /// The result or failure of one analysis.
    public struct Entry: Hashable, Sendable, Codable {
        private enum CodingKeys: String, CodingKey {
            case version
            case result
            case error
            case analyzer = "analyser"
        }

        /// The analysis.
        public var analyzer: String
        /// Its version.
        public var version: Int
        /// The result.
        public var result: JSONValue?
        /// The error of the analysis.
        public var error: Failure.Body?

        /// Creates the result or failure of one analysis.
        public init(analyzer: String, version: Int, result: JSONValue? = nil, error: Failure.Body? = nil) {
            self.analyzer = analyzer
            self.version = version
            self.result = result
            self.error = error
        }
    }

    /// The file.
    public var asset: String
    /// The results of its analyses that are valid for the current state of the file.
    public var analyses: [Entry]

    /// Creates the entry of a file with its analyses.
    package init(asset: String, analyses: [Entry]) {
        self.asset = asset
        self.analyses = analyses
    }
}
