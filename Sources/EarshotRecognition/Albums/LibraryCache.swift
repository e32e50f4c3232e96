public import EarshotCore
import Foundation

/// A cache of the attributes of files, and of decisions about groups of files.
///
/// All functions may be called from any task. They throw `storeUnavailable`, `storeDamaged` and `cancelled`.
public protocol LibraryCache: Sendable {
    /// The cached attributes of files that have not changed since, by path, limited to the requested evidence. Names
    /// and paths are those of the cached reading.
    func attributes(of files: [FileCacheKey], evidence: AlbumEvidence) async throws(EarshotError) -> [String:
        FileAttributes]
    /// Stores attributes of files.
    func keep(_ attributes: [(FileCacheKey, FileAttributes)], evidence: AlbumEvidence) async throws(EarshotError)
    /// The cached decisions about a group that has not changed since.
    func decisions(of group: GroupKey) async throws(EarshotError) -> [FileDecision]?
    /// Stores the decisions about a group.
    func keep(_ decisions: [FileDecision], for group: GroupKey) async throws(EarshotError)
}

/// The path, size and date of a file, by which it is known to be unchanged.
public struct FileCacheKey: Hashable, Sendable, Codable {
    /// The file's whole path: two collections may have files of one name.
    public var file: String
    /// Its length in bytes.
    public var size: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    public var modified: Int64

    /// A key.
    public init(file: String, size: Int64, modified: Int64) {
        self.file = file
        self.size = size
        self.modified = modified
    }
}

/// The key of cached decisions: the names and stamps of a group's files in order, the evidence used, and the service
/// asked.
public struct GroupKey: Hashable, Sendable {
    /// All of it as one text.
    public let text: String

    /// A key.
    ///
    /// - Parameters:
    ///   - files: The files of the group, by what answers name them.
    ///   - evidence: The evidence used.
    ///   - scope: The service asked and its version: every setting that can change the answer.
    public init(_ files: [(id: String, stamp: FileCacheKey)], _ evidence: AlbumEvidence, scope: String) {
        let lines = files.map { "\($0.stamp.size) \($0.stamp.modified) \($0.stamp.file)\t\($0.id)" }
        text = (["\(evidence.rawValue) \(scope)"] + lines).joined(separator: "\n")
    }
}
