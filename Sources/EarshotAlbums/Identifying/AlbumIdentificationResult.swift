public import EarshotRecognition
public import Foundation

/// What became of the files of a collection. Each file is in exactly one of the three parts.
public struct AlbumIdentificationResult: Sendable {
    /// The files of which track and album are known, in the order of the groups.
    public internal(set) var matched: [FileDecision] = []
    /// The files that fit nothing that is known, with what came nearest.
    public internal(set) var unmatched: [FileDecision] = []
    /// The files that could not be looked at, and those that no answer came for.
    public internal(set) var failed: [FileFailure] = []
    /// What was read of the files that could be, by name; what they sound like is left out where a cache keeps it.
    public internal(set) var attributes: [String: FileAttributes] = [:]
    /// Where the files are, by name; nothing for those that were given by what is known of them.
    public internal(set) var urls: [String: URL] = [:]
    /// How many questions the service was asked.
    public internal(set) var queryCount = 0

    /// Nothing yet.
    public init() {}

    /// How many files there are in all.
    public var fileCount: Int { matched.count + unmatched.count + failed.count }
}
