public import EarshotBroadcast
import EarshotCore

/// A match of a broadcast from a recognition service.
///
/// A match from an archive has a ``work``, one from a live channel an ``airing``; never both. One that belongs to
/// neither has ``music``.
public struct BroadcastMatch: Hashable, Sendable, Codable {
    /// The title of the content.
    public var title: String?
    /// A second line: the title of an episode, the artist of a song.
    public var subtitle: String?
    /// The position of the query's first instant in the work, program or recording, in milliseconds.
    public var position: Int?
    /// The entry of the archive that was heard.
    public var work: VideoWork?
    /// The broadcast that was heard.
    public var airing: Airing?
    /// The music that was heard.
    public var music: MusicMatch?
    /// The delay of the audio behind the live channel, in milliseconds; `nil` for other matches.
    public var behindLive: Int?
    /// The alignment of the query with the reference.
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

/// The answer of a recognition service to a broadcast query.
public struct BroadcastAnswer: Hashable, Sendable, Codable {
    /// The source of a match.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// Among the works of the archive.
        case archive
        /// On a channel, now or in its last hours.
        case television
        /// Among music.
        case music
    }

    /// The source of the matches; `nil` if there are none.
    public var source: Source?
    /// The matches, best first; empty if nothing matches.
    public var matches: [BroadcastMatch]
    /// The part of the catalog that was searched; `nil` if all of it was.
    public var searched: SearchedPart?

    /// An answer.
    ///
    /// - Parameters:
    ///   - source: The source of the matches.
    ///   - matches: The matches, the best first.
    public init(source: Source? = nil, matches: [BroadcastMatch] = []) {
        self.source = source
        self.matches = matches
    }
}
