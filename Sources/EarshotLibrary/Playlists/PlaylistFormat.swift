public import Foundation

/// A kind of playlist file.
public enum PlaylistFormat: String, Hashable, Sendable, CaseIterable {
    /// A list of paths, with or without `#EXTINF` lines, in whatever encoding its writer had.
    case m3u
    /// The same in UTF-8.
    case m3u8
    /// Numbered keys: `File1=`, `Title1=`, `Length1=`.
    case pls
    /// XML Shareable Playlist Format, version 0 or 1.
    case xspf

    /// The format that the name of a file says, in any letter case; `nil` for other names.
    public init?(url: URL) {
        self.init(rawValue: url.pathExtension.lowercased())
    }
}
