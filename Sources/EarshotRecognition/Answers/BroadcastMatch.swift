public import EarshotBroadcast
import EarshotCore

/// What a recognition service says of something that is broadcast.
///
/// A match from an archive holds a ``work``, one from a running channel an ``airing``; never both. One that belongs to
/// neither holds ``music``.
public struct BroadcastMatch: Hashable, Sendable, Codable {
    /// What is on.
    public var title: String?
    /// A second line: the title of an episode, the artist of a song.
    public var subtitle: String?
    /// Where in the work, the programme or the recording the query's first instant falls, in milliseconds.
    public var position: Int?
    /// The entry of the archive that was heard.
    public var work: VideoWork?
    /// The broadcast that was heard.
    public var airing: Airing?
    /// The music that was heard.
    public var music: MusicMatch?
    /// Of a running channel: how far what is heard lies behind what the channel plays, in milliseconds.
    public var behindLive: Int?
    /// How the query lies on the reference in which it was found.
    public var placement: ReferencePlacement?

    /// A match.
    public init(title: String? = nil, subtitle: String? = nil) {
        self.title = title
        self.subtitle = subtitle
    }

    /// A match with music: its title, artist and position.
    public init(music: MusicMatch) {
        self.init(title: music.track.title ?? music.album.title, subtitle: music.artist.name ?? music.album.artist)
        position = music.songPosition.map { Int($0.converted(toTimescale: 1_000).value) }
        placement = music.placement
        self.music = music
    }
}

/// What a recognition service answers when it is asked what is on.
public struct BroadcastAnswer: Hashable, Sendable, Codable {
    /// Where something was found.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// Among the works of the archive.
        case archive
        /// On a channel, now or in its last hours.
        case television
        /// Among music.
        case music
    }

    /// Where the matches were found; `nil` if nothing was.
    public var source: Source?
    /// The matches, the best first; none when nothing is known that fits.
    public var matches: [BroadcastMatch]
    /// The part of the catalog that was searched; `nil` if all of it was.
    public var searched: SearchedPart?

    /// An answer.
    ///
    /// - Parameters:
    ///   - source: Where the matches were found.
    ///   - matches: The matches, the best first.
    public init(source: Source? = nil, matches: [BroadcastMatch] = []) {
        self.source = source
        self.matches = matches
    }
}
