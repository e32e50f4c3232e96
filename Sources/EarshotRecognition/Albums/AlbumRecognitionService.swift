public import EarshotCore
import EarshotMusic

/// A service that identifies albums: it finds the track and album of each file in a group.
///
/// All functions may be called from any task. Over a network they throw what ``RecognitionService`` throws.
public protocol AlbumRecognitionService: Sendable {
    /// The most files of one question.
    var albumQueryLimit: Int { get }
    /// The evidence that the service can use: files need not be read for other evidence.
    var usableEvidence: AlbumEvidence { get }

    /// Decides for all files of a query together. Matches contain at most addresses of pictures and texts; load them
    /// once for all files of an album.
    ///
    /// - Returns: A decision for each file, in the order of the query. A file without a match is not an error.
    /// - Throws: `requestInvalid` for more files than a question takes, or two of one name.
    func identify(_ query: AlbumQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [FileDecision]
}

extension AlbumRecognitionService {
    /// All of it.
    public var usableEvidence: AlbumEvidence { .all }
}

/// Files that belong together in some way, and what of them may be used.
public struct AlbumQuery: Hashable, Sendable {
    /// The files, in the order in which a person would list them.
    public var files: [FileAttributes]
    /// The evidence that may be used.
    public var evidence: AlbumEvidence

    /// A question.
    public init(_ files: [FileAttributes], evidence: AlbumEvidence = .all) {
        self.files = files
        self.evidence = evidence
    }
}
