public import EarshotCore
import Foundation

/// Where is kept what was read of files and answered for groups of them.
///
/// All functions may be called from any task. They throw `storeUnavailable`, `storeDamaged` and `cancelled`.
public protocol LibraryCache: Sendable {
    /// What was read of files that are still as they were then, by their paths; of readings that took in more, only what is asked
    /// for. Names in answers and paths from a top are those of the reading.
    func attributes(of files: [FileCacheKey], evidence: AlbumEvidence) async throws(EarshotError) -> [String:
        FileAttributes]
    /// Keeps what was read of files.
    func keep(_ attributes: [(FileCacheKey, FileAttributes)], evidence: AlbumEvidence) async throws(EarshotError)
    /// What was answered for a group that is still as it was then.
    func decisions(of group: GroupKey) async throws(EarshotError) -> [FileDecision]?
    /// Keeps what was answered for a group.
    func keep(_ decisions: [FileDecision], for group: GroupKey) async throws(EarshotError)
}

/// The path, size and date of a file, by which it is known to be unchanged.
public struct FileCacheKey: Hashable, Sendable, Codable {
    /// The file's whole path: two collections may have files of one name.
    public var file: String
    /// Its length in bytes.
    public var size: Int64
    /// When it was last written, in nanoseconds since 1970.
    public var modified: Int64

    /// A key.
    public init(file: String, size: Int64, modified: Int64) {
        self.file = file
        self.size = size
        self.modified = modified
    }
}

/// By what an answer is known to hold still: the names and stamps of a group's files in order, what of them was used, and who was
/// asked.
public struct GroupKey: Hashable, Sendable {
    /// All of it as one text.
    public let text: String

    /// A key.
    ///
    /// - Parameters:
    ///   - files: The files of the group, by what answers name them.
    ///   - evidence: What of them was used.
    ///   - scope: Who was asked, and in which state: whatever makes an answer another.
    public init(_ files: [(id: String, stamp: FileCacheKey)], _ evidence: AlbumEvidence, scope: String) {
        let lines = files.map { "\($0.stamp.size) \($0.stamp.modified) \($0.stamp.file)\t\($0.id)" }
        text = (["\(evidence.rawValue) \(scope)"] + lines).joined(separator: "\n")
    }
}
