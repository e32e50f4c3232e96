public import Foundation

/// A kind of playlist file.
public enum PlaylistFormat: String, Hashable, Sendable, CaseIterable {
    /// M3U: a list of paths, with or without `#EXTINF` lines, in any encoding.
    case m3u
    /// M3U8: the same in UTF-8.
    case m3u8
    /// PLS: numbered keys such as `File1=`, `Title1=`, `Length1=`.
    case pls
    /// XML Shareable Playlist Format, version 0 or 1.
    case xspf

    /// Detects the format from the suffix of a file name, in any letter case; `nil` for other suffixes.
    public init?(url: URL) {
        self.init(rawValue: url.pathExtension.lowercased())
    }
}
