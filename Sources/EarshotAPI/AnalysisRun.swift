public import EarshotCore
public import Foundation

/// A request to analyze the files below a folder of a service.
public struct AnalysisRequest: Hashable, Sendable, Codable {
    // JSON keys keep their spelling: clients know them.
    private enum CodingKeys: String, CodingKey {
        case folder
        case analyzers = "analysers"
    }

    /// The name of a media folder, with or without a path below it: `music`, `music/Album`.
    public var folder: String
    /// The analyses to run: `loudness`, `rhythm`, `key`, `silence`, `waveform`; `nil` for all.
    public var analyzers: [String]?

    /// Creates a request for a folder; `nil` analyzes with all analyses.
    package init(folder: String, analyzers: [String]? = nil) {
        self.folder = folder
        self.analyzers = analyzers
    }
}

/// A run of analyses over the files below a folder: its progress and outcome.
public struct AnalysisRun: Hashable, Sendable, Codable {
    /// A file of which an analysis failed.
    public struct FileFailure: Hashable, Sendable, Codable {
        private enum CodingKeys: String, CodingKey {
            case asset
            case code
            case message
            case analyzer = "analyser"
        }

        /// The identifier of the file: the name of a media folder and the path below it.
        public var asset: String
        /// The name of the analysis that failed, such as `loudness`.
        public var analyzer: String
        /// The stable error code.
        public var code: String
        /// One sentence about the failure, for technical staff.
        public var message: String

        /// Creates a failure.
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

    /// The identifier of the run.
    public var id: String
    /// The analyzed folder: the name of a media folder, and a path below it.
    public var folder: String
    /// The names of the analyses that the run makes.
    public var analyzers: [String]
    /// The state of the run.
    public var state: JobRecord.State
    /// The number of files to analyze; `nil` until they are counted.
    public var total: Int?
    /// The number of files that are finished: analyzed, unchanged or failed.
    public var done: Int
    /// The number of files that were analyzed in this run.
    public var analyzed: Int
    /// The number of files whose results from earlier runs were still valid.
    public var unchanged: Int
    /// The number of files of which an analysis failed, in this run or an earlier one.
    public var failed: Int
    /// The number of failures by error code.
    public var failureCounts: [String: Int]
    /// The failures, at most the first 1000.
    public var failures: [FileFailure]
    /// The duration of the audio that was analyzed, in seconds.
    public var audioSeconds: Double
    /// The error that ended the whole run; `nil` if there was none.
    public var error: Failure.Body?
    /// The time of the request.
    public var created: Date
    /// The time at which the run ended; `nil` before.
    public var finished: Date?

    /// Creates the record of a run that has not begun.
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

/// The valid results of all analyses of one file.
public struct AssetAnalyses: Hashable, Sendable, Codable {
    /// The result or failure of one analysis.
    public struct Entry: Hashable, Sendable, Codable {
        private enum CodingKeys: String, CodingKey {
            case version
            case result
            case error
            case analyzer = "analyser"
        }

        /// The name of the analysis, such as `loudness`.
        public var analyzer: String
        /// The version of the analysis that produced the result.
        public var version: Int
        /// The result, whose form depends on the analysis; `nil` if the analysis failed.
        public var result: JSONValue?
        /// The error of the analysis; `nil` if it succeeded.
        public var error: Failure.Body?

        /// Creates an entry with either a result or an error.
        public init(analyzer: String, version: Int, result: JSONValue? = nil, error: Failure.Body? = nil) {
            self.analyzer = analyzer
            self.version = version
            self.result = result
            self.error = error
        }
    }

    /// The identifier of the file: the name of a media folder and the path below it.
    public var asset: String
    /// The results that are valid for the current contents of the file.
    public var analyses: [Entry]

    /// Creates the record of a file.
    package init(asset: String, analyses: [Entry]) {
        self.asset = asset
        self.analyses = analyses
    }
}
