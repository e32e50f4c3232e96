public import EarshotBroadcast
import EarshotCore

/// A match of a broadcast query.
///
/// A match from an archive has a ``work``, one from a live channel an ``airing``; never both. Other matches have
/// ``music``.
public struct BroadcastMatch: Hashable, Sendable, Codable {
    /// The title of the work, program or track; `nil` if unknown.
    public var title: String?
    /// The second line of the title, such as the title of an episode or the artist of a song; `nil` if there is none.
    public var subtitle: String?
    /// The position of the start of the query in the work, program or recording, in milliseconds; `nil` if unknown.
    public var position: Int?
    /// The matching work in the archive; `nil` for other matches.
    public var work: VideoWork?
    /// The matching airing, a program on a channel at a time; `nil` for other matches.
    public var airing: Airing?
    /// The matching music; `nil` for other matches.
    public var music: MusicMatch?
    /// The delay of the audio behind the live channel, in milliseconds; `nil` for other matches.
    public var behindLive: Int?
    /// The alignment of the query with the reference; `nil` for matches from a live channel.
    public var placement: ReferencePlacement?

    /// Creates a match with a title only.
    public init(title: String? = nil, subtitle: String? = nil) {
        self.title = title
        self.subtitle = subtitle
    }

    /// Creates a match from a music match, with its title, artist and position.
    public init(music: MusicMatch) {
        self.init(title: music.track.title ?? music.album.title, subtitle: music.artist.name ?? music.album.artist)
        position = music.songPosition.map { Int($0.converted(toTimescale: 1_000).value) }
        placement = music.placement
        self.music = music
    }
}

/// The answer to a broadcast query.
public struct BroadcastAnswer: Hashable, Sendable, Codable {
    /// The source of a match.
    public enum Source: String, Hashable, Sendable, Codable, CaseIterable {
        /// The archive of works: films, episodes, advertisements.
        case archive
        /// The channels, now or in their last hours.
        case television
        /// The references of music.
        case music
    }

    /// The source of the matches; `nil` if there are none.
    public var source: Source?
    /// The matches, best first; empty if nothing matches.
    public var matches: [BroadcastMatch]
    /// The part of the catalog that was searched; `nil` if all of it was searched.
    public var searched: SearchedPart?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - source: The source of the matches; `nil` if there are none.
    ///   - matches: The matches, best first.
    public init(source: Source? = nil, matches: [BroadcastMatch] = []) {
        self.source = source
        self.matches = matches
    }
}
