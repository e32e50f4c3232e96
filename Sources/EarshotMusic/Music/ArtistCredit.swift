/// An artist as named on an album or track.
public struct ArtistCredit: Hashable, Sendable, Codable {
    /// The role of an artist.
    public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        /// The main artist of the track or album.
        case main
        /// Named as a guest.
        case featured
        /// Wrote the music.
        case composer
        /// Wrote the words.
        case lyricist
        /// Changed a recording of somebody else.
        case remixer
        /// Led an orchestra or choir.
        case conductor
        /// Produced the recording.
        case producer
        /// Played or sang.
        case performer
        /// Whatever else.
        case other
    }

    /// The artist; absent when only the name is known.
    public var artist: EntityID<Artist>?
    /// The name as credited, which may differ from the artist's own.
    public var name: String
    /// The text between this name and the next: ` & `, ` feat. `.
    public var joint: String
    /// The role.
    public var role: Role

    /// A credit.
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
    /// The names of those whose work it is, as they are printed: `One & Two feat. Three`.
    public var displayName: String {
        let shown = filter { $0.role == .main || $0.role == .featured }
        return shown.enumerated().map { index, credit in
            let isLast = index == shown.count - 1
            // Names from sources without joints are set apart by commas.
            return credit.name + (isLast ? "" : credit.joint.isEmpty ? ", " : credit.joint)
        }.joined()
    }
}
