public import EarshotCore
import EarshotMusic

/// A service that identifies albums: it finds the track and album of each file in a group.
///
/// All functions may be called from any task. Over a network they throw the errors of ``RecognitionService``.
public protocol AlbumRecognitionService: Sendable {
    /// The largest number of files in one query.
    var albumQueryLimit: Int { get }
    /// The kinds of evidence that the service can use. Files need not be read for other evidence.
    var usableEvidence: AlbumEvidence { get }

    /// Identifies the files of a query together. Matches contain only the addresses of pictures and texts; load them
    /// once for all files of an album.
    ///
    /// - Returns: A decision for each file, in the order of the query. A file without a match is not an error.
    /// - Throws: `requestInvalid` for more than ``albumQueryLimit`` files, or two files with the same identifier.
    func identify(_ query: AlbumQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [FileDecision]
}

extension AlbumRecognitionService {
    /// All kinds of evidence. The default for services.
    public var usableEvidence: AlbumEvidence { .all }
}

/// A query for the albums of files that belong together, such as the files of a folder.
public struct AlbumQuery: Hashable, Sendable {
    /// The attributes of the files, in the order in which a person would list them.
    public var files: [FileAttributes]
    /// The kinds of evidence that may be used.
    public var evidence: AlbumEvidence

    /// Creates a query.
    public init(_ files: [FileAttributes], evidence: AlbumEvidence = .all) {
        self.files = files
        self.evidence = evidence
    }
}
