public import EarshotRecognition
public import Foundation

/// The result of an identification. Each file is in exactly one of the three parts.
public struct AlbumIdentificationResult: Sendable {
    /// The files of which track and album are known, in the order of the groups.
    public internal(set) var matched: [FileDecision] = []
    /// The files without a match, with the nearest candidate.
    public internal(set) var unmatched: [FileDecision] = []
    /// The files that could not be read, and those without an answer.
    public internal(set) var failed: [FileFailure] = []
    /// The attributes of the files that were read, by identifier; without signatures that a cache keeps.
    public internal(set) var attributes: [String: FileAttributes] = [:]
    /// The addresses of the files, by identifier; empty for files that were given by their attributes.
    public internal(set) var urls: [String: URL] = [:]
    /// The number of queries to the service.
    public internal(set) var queryCount = 0

    /// Creates an empty result.
    public init() {}

    /// The number of files.
    public var fileCount: Int { matched.count + unmatched.count + failed.count }
}
