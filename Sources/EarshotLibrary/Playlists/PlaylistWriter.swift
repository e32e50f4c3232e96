import EarshotCore
public import Foundation

/// Writes playlists in M3U8 and XSPF.
///
/// Files below the folder of the playlist are written with relative paths, so that the folder can be moved as a whole; all other
/// addresses are written in full. ``PlaylistReader`` reads the result.
public struct PlaylistWriter: Sendable {
    /// The address that the playlist will have; `nil` for absolute addresses only.
    public var base: URL?

    /// Creates a writer.
    ///
    /// - Parameter base: The address that the playlist file will have; `nil` for absolute addresses only.
    public init(base: URL? = nil) {
        self.base = base
    }

    /// Returns a playlist as M3U8 (UTF-8, LF). Entries without an address and all track numbers are left out.
    public func m3u8(_ playlist: Playlist) -> Data {
        let location = PlaylistLocation(base: base)
        var text = "#EXTM3U\n"
        if let title = playlist.title.flatMap(Self.line) { text += "#PLAYLIST:\(title)\n" }
        for entry in playlist.entries {
            guard let url = entry.url else { continue }
            if let album = entry.album.flatMap(Self.line) { text += "#EXTALB:\(album)\n" }
            text += Self.information(entry)
            text += location.path(of: url) + "\n"
        }
        return Data(text.utf8)
    }

    /// Returns a playlist as XSPF version 1.
    public func xspf(_ playlist: Playlist) -> Data {
        let location = PlaylistLocation(base: base)
        var text = XMLText()
        text.append(raw: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        text.begin("playlist", [("version", "1"), ("xmlns", "http://xspf.org/ns/0/")])
        if let title = playlist.title { text.element("title", title) }
        if let creator = playlist.creator { text.element("creator", creator) }
        text.begin("trackList")
        for entry in playlist.entries {
            text.begin("track")
            if let url = entry.url { text.element("location", location.reference(to: url)) }
            if let title = entry.title { text.element("title", title) }
            if let artist = entry.artist { text.element("creator", artist) }
            if let album = entry.album { text.element("album", album) }
            if let number = entry.trackNumber { text.element("trackNum", String(number)) }
            if let duration = entry.duration, duration.isNumeric {
                let milliseconds = duration.converted(toTimescale: 1_000).value
                if milliseconds > 0 { text.element("duration", String(milliseconds)) }
            }
            text.end("track")
        }
        text.end("trackList")
        text.end("playlist")
        return Data(text.bytes)
    }

    /// The line that says how long an entry lasts and what it is called; nothing where neither is known.
    private static func information(_ entry: PlaylistEntry) -> String {
        let shown = [entry.artist, entry.title].compactMap { $0.flatMap(line) }
        guard entry.duration != nil || !shown.isEmpty else { return "" }
        var seconds = "-1"
        if let duration = entry.duration, duration.isNumeric {
            seconds = String(max(1, duration.converted(toTimescale: 1).value))
        }
        return "#EXTINF:\(seconds),\(shown.joined(separator: " - "))\n"
    }

    /// A text as one line.
    private static func line(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isNewline)
        return PlaylistValue.text(words.joined(separator: " "))
    }
}
