/// A right of a client beyond recognition. The operator grants each separately.
public enum ClientRight: String, Hashable, Sendable, Codable, CaseIterable {
    /// Listing, adding and removing references, publishing catalogs, and starting the jobs that do so.
    case references
    /// Publishing and removing bundles.
    case bundles
    /// Feeding the audio of channels as live references.
    case channels
    /// Reading and analyzing files of the media folders.
    case media
    /// Converting files of the media folders, and fetching the results.
    case exports
}
