import EarshotCore
import Foundation

/// Reads a list of paths with what `#EXTINF` and its like say of them.
struct M3UParsing {
    private let resolver: PlaylistLocation
    private let limits: PlaylistReader.Limits
    private let name: String

    init(_ resolver: PlaylistLocation, _ limits: PlaylistReader.Limits, _ name: String) {
        (self.resolver, self.limits, self.name) = (resolver, limits, name)
    }

    func playlist(_ lines: [PlaylistText.Line]) throws(EarshotError) -> Playlist {
        var playlist = Playlist()
        // What stands before a path is said of it.
        var pending = PlaylistEntry(url: nil)
        for (number, line) in lines {
            guard line.first != "#" else {
                directive(line, &playlist, &pending)
                continue
            }
            guard playlist.entries.count < limits.entries else {
                throw PlaylistFault.tooMany(limits.entries, name, line: number)
            }
            guard let url = resolver.url(ofPath: line) else {
                throw PlaylistFault.address(line, name, line: number)
            }
            pending.url = url
            playlist.entries.append(pending)
            pending = PlaylistEntry(url: nil)
            if number % 1_024 == 0, Task.isCancelled { throw PlaylistFault.cancelled(name) }
        }
        return playlist
    }

    private func directive(_ line: Substring, _ playlist: inout Playlist, _ pending: inout PlaylistEntry) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...]
        switch line[..<colon].uppercased() {
        case "#EXTINF": information(value, &pending)
        case "#PLAYLIST": playlist.title = playlist.title ?? PlaylistValue.text(value)
        case "#EXTALB": pending.album = PlaylistValue.text(value)
        case "#EXTART": pending.artist = PlaylistValue.text(value)
        default: break
        }
    }

    /// `123,Artist - Title`: seconds, perhaps attributes, a comma, and what is shown.
    private func information(_ text: Substring, _ entry: inout PlaylistEntry) {
        guard let comma = Self.comma(text) else {
            entry.duration = PlaylistValue.duration(text)
            return
        }
        let head = text[..<comma].drop(while: \.isWhitespace)
        entry.duration = PlaylistValue.duration(head.prefix { !$0.isWhitespace })
        let shown = text[text.index(after: comma)...]
        // The first dash between spaces parts artist and title; without one all is the title.
        if entry.artist == nil, let dash = shown.firstRange(of: " - "),
            let artist = PlaylistValue.text(shown[..<dash.lowerBound]),
            let title = PlaylistValue.text(shown[dash.upperBound...])
        {
            (entry.artist, entry.title) = (artist, title)
        } else {
            entry.title = PlaylistValue.text(shown)
        }
    }

    /// The first comma that stands in no quoted attribute.
    private static func comma(_ text: Substring) -> Substring.Index? {
        var isQuoted = false
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: return index
            default: break
            }
        }
        return isQuoted ? text.firstIndex(of: ",") : nil
    }
}
