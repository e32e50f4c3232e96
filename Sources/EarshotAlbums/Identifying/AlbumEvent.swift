/// The progress of an identification: first reading, then a query for each group, then the end.
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
