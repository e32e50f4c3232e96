import EarshotCore
import EarshotMusic
import Foundation

/// A song in an answer of a Music Player Daemon.
struct MPDSong: Hashable, Sendable {
    /// The daemon's address of the song: a path below its music folder, or an address.
    let file: String
    /// The pairs behind it.
    var pairs: [MPDDecoder.Pair] = []

    /// The songs of an answer; directories and playlists are left out.
    static func songs(_ pairs: [MPDDecoder.Pair]) -> [MPDSong] {
        var songs: [MPDSong] = []
        var isSong = false
        for pair in pairs {
            switch pair.name {
            case "file":
                isSong = !pair.value.isEmpty
                if isSong { songs.append(MPDSong(file: pair.value)) }
            case "directory", "playlist": isSong = false
            default: if isSong { songs[songs.count - 1].pairs.append(pair) }
            }
        }
        return songs
    }

    /// The first value of a name.
    subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// The file of the song on this machine; `nil` if it has none of its own.
    ///
    /// - Parameter folder: The daemon's music folder; `nil` if it is on another machine.
    func url(in folder: String?) -> URL? {
        // A part of a file, by a cue sheet, is none.
        guard let folder, !file.contains("://"), self["Range"] == nil else { return nil }
        let base = URL(fileURLWithPath: folder, isDirectory: true)
        return file.hasPrefix("/") ? URL(fileURLWithPath: file) : base.appendingPathComponent(file, isDirectory: false)
    }
}

extension MusicItem {
    /// The item of a song.
    ///
    /// - Parameters:
    ///   - song: The song.
    ///   - folder: The daemon's music folder; `nil` if it is on another machine.
    init(_ song: MPDSong, in folder: String?) {
        let fields = TrackTags(
            Dictionary(song.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        )
        let url = song.url(in: folder)
        let genre = song["Genre"]
        self.init(
            id: ItemID(library: "mpd", key: song.file),
            assetURL: url,
            kind: Self.kind(ofGenre: genre),
            title: song["Title"],
            artist: song["Artist"],
            album: song["Album"],
            albumArtist: song["AlbumArtist"],
            composer: song["Composer"],
            genre: genre,
            discNumber: fields.disc.number,
            trackNumber: fields.place.number,
            year: fields.date?.year,
            duration: (song["duration"] ?? song["Time"]).flatMap(MediaTime.init(mpd:))
        )
        // Elsewhere a file without tags goes by its name, which is in its address.
        if title == nil, url == nil {
            title = MusicItem(id: id, assetURL: URL(fileURLWithPath: song.file)).fileTitle
        }
    }

    private static func kind(ofGenre genre: String?) -> MediaKind {
        switch genre?.lowercased() {
        case "podcast": .podcast
        case "audiobook", "audiobooks", "audio book", "speech": .audiobook
        default: .song
        }
    }
}

extension MediaTime {
    /// A time in seconds as a daemon writes it, `12.345`; `nil` if it is none of a recording.
    init?(mpd text: String) {
        guard text.utf8.count <= 32, let seconds = Double(text), (0...1e9).contains(seconds) else { return nil }
        self.init(seconds: seconds, preferredTimescale: 1_000)
    }

    /// The time in seconds as a daemon reads it, not below zero.
    var mpd: String {
        let thousandths = max(0, converted(toTimescale: 1_000).value)
        let fraction = "\(1_000 + thousandths % 1_000)".dropFirst()
        return "\(thousandths / 1_000).\(fraction)"
    }
}
