public import EarshotCore
import Foundation

/// A cache of the attributes of files, and of decisions about groups of files.
///
/// All functions may be called from any task. They throw `storeUnavailable`, `storeDamaged` and `cancelled`.
public protocol LibraryCache: Sendable {
    /// Returns the cached attributes of files that have not changed since, by path, limited to the requested evidence.
    /// Names and paths are those at the time of storage.
    func attributes(of files: [FileCacheKey], evidence: AlbumEvidence) async throws(EarshotError) -> [String:
        FileAttributes]
    /// Stores attributes of files, with the evidence that was read for them.
    func keep(_ attributes: [(FileCacheKey, FileAttributes)], evidence: AlbumEvidence) async throws(EarshotError)
    /// Returns the cached decisions about a group of files that has not changed since; `nil` if there are none.
    func decisions(of group: GroupKey) async throws(EarshotError) -> [FileDecision]?
    /// Stores the decisions about a group of files.
    func keep(_ decisions: [FileDecision], for group: GroupKey) async throws(EarshotError)
}

/// The path, size and modification time of a file, by which a cache detects changes.
public struct FileCacheKey: Hashable, Sendable, Codable {
    /// The absolute path of the file, because collections may have files of the same name.
    public var file: String
    /// The size of the file, in bytes.
    public var size: Int64
    /// The modification time of the file, in nanoseconds since 1970.
    public var modified: Int64

    /// Creates a key.
    public init(file: String, size: Int64, modified: Int64) {
        self.file = file
        self.size = size
        self.modified = modified
    }
}

/// The key of cached decisions: the paths, sizes and times of a group's files in order, the evidence used, and the
/// service.
public struct GroupKey: Hashable, Sendable {
    /// All parts of the key as one text.
    public let text: String

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - files: The files of the group, with their identifiers in the query.
    ///   - evidence: The evidence used.
    ///   - scope: The service and its version: every setting that can change the decisions.
    public init(_ files: [(id: String, stamp: FileCacheKey)], _ evidence: AlbumEvidence, scope: String) {
        let lines = files.map { "\($0.stamp.size) \($0.stamp.modified) \($0.stamp.file)\t\($0.id)" }
        text = (["\(evidence.rawValue) \(scope)"] + lines).joined(separator: "\n")
    }
}
