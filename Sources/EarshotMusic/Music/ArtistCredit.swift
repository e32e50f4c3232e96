/// An artist as named on an album or track.
public struct ArtistCredit: Hashable, Sendable, Codable {
    /// The role of an artist.
    public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        /// The main artist of the track or album.
        case main
        /// A featured guest.
        case featured
        /// The composer of the music.
        case composer
        /// The author of the lyrics.
        case lyricist
        /// The remixer of another artist's recording.
        case remixer
        /// The conductor of an orchestra or choir.
        case conductor
        /// The producer of the recording.
        case producer
        /// A performer: player or singer.
        case performer
        /// Any other role.
        case other
    }

    /// The artist; `nil` if only the name is known.
    public var artist: EntityID<Artist>?
    /// The name as credited, which may differ from the artist's own.
    public var name: String
    /// The text between this name and the next: ` & `, ` feat. `.
    public var joint: String
    /// The role.
    public var role: Role

    /// Creates a credit.
    ///
    /// - Parameters:
    ///   - name: The name as credited.
    ///   - artist: The artist, where known.
    ///   - joint: The text between this name and the next.
    ///   - role: The role.
    public init(_ name: String, artist: EntityID<Artist>? = nil, joint: String = "", role: Role = .main) {
        self.artist = artist
        self.name = name
        self.joint = joint
        self.role = role
    }
}

extension Sequence<ArtistCredit> {
    /// The names of the main and featured artists with the texts between them: `One & Two feat. Three`.
    public var displayName: String {
        let shown = filter { $0.role == .main || $0.role == .featured }
        return shown.enumerated().map { index, credit in
            let isLast = index == shown.count - 1
            // Names from sources without joints are set apart by commas.
            return credit.name + (isLast ? "" : credit.joint.isEmpty ? ", " : credit.joint)
        }.joined()
    }
}
