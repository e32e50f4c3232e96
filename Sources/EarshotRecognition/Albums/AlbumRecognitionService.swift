public import EarshotCore
import EarshotMusic

/// Somebody who knows albums: says of files that were gathered together which track of which album each of them is.
///
/// All functions may be called from any task. Over a network they throw what ``RecognitionService`` throws.
public protocol AlbumRecognitionService: Sendable {
    /// The most files of one question.
    var albumQueryLimit: Int { get }
    /// What it can use of what is known of a file: the rest need not be read.
    var usableEvidence: AlbumEvidence { get }

    /// Decides for all files of a question together. Of pictures and texts matches have addresses at most: what is wanted of an
    /// album is loaded once for all its files.
    ///
    /// - Returns: A decision for each file, in the order of the question. Nothing that fits is no error.
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
    /// What may be used of what is known of them.
    public var evidence: AlbumEvidence

    /// A question.
    public init(_ files: [FileAttributes], evidence: AlbumEvidence = .all) {
        self.files = files
        self.evidence = evidence
    }
}
