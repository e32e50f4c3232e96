import EarshotLibrary
import EarshotMusic
import Foundation

/// A small library with what has gone wrong in others: Japanese titles, mixed albums, albums of similar names, numbers, additions.
enum LibrarySamples {
    static let mixed = "More Friends: Music from Final Fantasy"
    static let other = "More Friends: Small World Big Band Vol. 2"
    static let tour = "Magical Mystery Tour"
    /// With an ASCII hyphen where a long-vowel mark belongs, as it was found.
    static let theme = "エアリスのテ-マ"
    static let advent = "アンコール 再臨:片翼の天使"
    static let numbered = "1931: Go Out Dancing, Part I"
    static let parade = "The Black Parade (Music Video Version)"

    static func item(
        _ title: String?,
        artist: String? = nil,
        album: String? = nil,
        albumArtist: String? = nil,
        disc: Int? = nil,
        track: Int? = nil,
        kind: MediaKind = .song,
        id: String? = nil
    ) -> MusicItem {
        let number = track.map { String($0) } ?? ""
        return MusicItem(
            id: ItemID(
                library: "samples",
                key: id ?? [title ?? "", artist ?? "", album ?? "", number].joined(separator: "|")
            ),
            kind: kind,
            title: title,
            artist: artist,
            album: album,
            albumArtist: albumArtist,
            discNumber: disc,
            trackNumber: track
        )
    }

    /// The album of which some tracks are tagged in Japanese and some in English.
    static let mixedAlbum = [
        item("Opening ~ Bombing Mission", artist: "植松伸夫", album: mixed, track: 1),
        item(theme, artist: "植松伸夫", album: mixed, track: 2),
        item("Don’t Be Afraid", artist: "Nobuo Uematsu", album: mixed, track: 3),
        item("At Zanarkand", artist: "Nobuo Uematsu", album: mixed, track: 4),
        item(advent, artist: "植松伸夫", album: mixed, track: 12),
    ]

    static let tourAlbum = [
        "Your Mother Should Know", "I Am the Walrus", "Hello Goodbye", "Strawberry Fields Forever", "Penny Lane",
    ]
    .enumerated().map { item($1, artist: "The Beatles", album: tour, track: $0 + 5) }

    static let all =
        mixedAlbum.reversed() + tourAlbum.reversed() + [
            item("Brand New Day", artist: "Jools Holland", album: other, track: 1),
            item("Moondance", artist: "Van Morrison", album: "Moondance", track: 2),
            item("And It Stoned Me", artist: "Van Morrison", album: "Moondance", track: 1),
            item("Portions for Foxes", artist: "Rilo Kiley", album: "More Adventurous", track: 3),
            item(numbered, artist: "Jacob Mann", album: "Numbers", track: 1),
            item(parade, artist: "My Chemical Romance", album: "The Black Parade", track: 5),
            item("Café del Mar", artist: "Energy 52"),
            item("Hello Again", artist: "Somebody", album: "Elsewhere", track: 1),
        ]
}
