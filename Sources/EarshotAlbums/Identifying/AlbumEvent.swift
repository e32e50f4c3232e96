/// How far the identification of a collection is. Reading comes first, then a question for each group, then the end.
public enum AlbumEvent: Hashable, Sendable {
    /// It waits for another identification to end.
    case waiting
    /// So many of the files are read.
    case reading(Int, of: Int)
    /// So many of the groups are asked for.
    case querying(Int, of: Int)
    /// The result is there.
    case done
}
