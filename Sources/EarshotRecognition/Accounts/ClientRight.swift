/// A right of a client beyond asking: the operator grants each by itself.
public enum ClientRight: String, Hashable, Sendable, Codable, CaseIterable {
    /// Listing, adding and removing references, publishing catalogs, and jobs, which do either.
    case references
    /// Publishing and removing bundles.
    case bundles
    /// Feeding channels.
    case channels
    /// Reading and analyzing files of the media folders.
    case media
    /// Converting files of the media folders, and fetching the results.
    case exports
}
