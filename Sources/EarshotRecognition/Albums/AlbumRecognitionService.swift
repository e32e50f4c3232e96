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

    /// Identifies the files of a query as ``identify(_:_:)`` does, and reports the part of the catalog that was searched.
    ///
    /// A service that does not report a part has searched the whole catalog.
    func answer(to query: AlbumQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> AlbumAnswer
}

extension AlbumRecognitionService {
    /// Identifies the files of a query. Default implementation for a service that always searches its whole catalog.
    public func answer(
        to query: AlbumQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> AlbumAnswer {
        AlbumAnswer(try await identify(query, preferences))
    }

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

/// The decisions for the files of an ``AlbumQuery``, with the part of the catalog that was searched for them.
public struct AlbumAnswer: Hashable, Sendable {
    /// A decision for each file, in the order of the query.
    public var decisions: [FileDecision]
    /// The part of the catalog that was searched; `nil` if all of it was searched.
    public var searched: SearchedPart?

    /// Creates an answer.
    public init(_ decisions: [FileDecision], searched: SearchedPart? = nil) {
        (self.decisions, self.searched) = (decisions, searched)
    }
}
