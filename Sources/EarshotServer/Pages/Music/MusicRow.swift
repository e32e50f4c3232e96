import EarshotMusic
import EarshotRecognition

/// A track, an album or an artist in a list of a page.
struct MusicRow: Sendable {
    /// The address of its page; `nil` for lyrics without a known track.
    let address: String?
    let name: String
    /// The artist and the origin, as text.
    let about: String
    /// The address of a small picture; `nil` for none.
    let thumb: String?
    /// A line of the lyrics that matches the search; `nil` for none.
    var line: String?

    /// - Parameters:
    ///   - match: The match.
    ///   - thumb: The address of a small picture.
    ///   - words: The texts of the page.
    init(_ match: MusicMatch, thumb: String?, _ words: PageWords) {
        self.thumb = thumb
        var about: [String?] = []
        if let title = match.track.title {
            name = title
            address = match.track.id.map(MusicText.address(ofTrack:))
            about = [
                match.artist.name, match.album.title, match.album.releaseYear, MusicText.duration(match.track.duration),
            ]
        } else if let title = match.album.title {
            name = title
            address = match.album.id.map(MusicText.address(ofAlbum:))
            let count = match.album.trackCount
            about = [
                match.album.artist, match.album.releaseYear,
                count > 0 ? words(count == 1 ? "music.oneTrack" : "music.trackCount", ["count": "\(count)"]) : nil,
            ]
        } else {
            name = match.artist.name ?? words("match.untitled")
            address = match.artist.id.map(MusicText.address(ofArtist:))
            about = [match.artist.type.last?.name, match.artist.origin.last?.name, match.artist.era.last?.name]
        }
        self.about = about.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
