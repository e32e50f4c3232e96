/// An album, artist or track that a command may mean.
public struct LibraryCandidate: Hashable, Sendable {
    /// The kind of candidate.
    public enum Subject: Hashable, Sendable {
        /// An album with its tracks.
        case album(LibraryAlbum)
        /// An artist with their items.
        case artist(LibraryArtist)
        /// A track.
        case track(MusicItem)
    }

    /// The track, album or artist.
    public let subject: Subject
    /// The kind of match between the query and the name.
    public let reason: CandidateReason
    /// The score for the order, from 0 to 1; not a probability.
    public let score: Double

    init(_ subject: Subject, _ match: NameMatch) {
        self.subject = subject
        reason = match.reason
        score = match.score
    }

    /// The name in the library; for a track without a title, the name of its file.
    public var name: String {
        switch subject {
        case .album(let album): album.title
        case .artist(let artist): artist.name
        case .track(let item): item.title ?? item.fileTitle ?? item.id.rawValue
        }
    }

    /// The items that are played if it is chosen, in order.
    public var items: [MusicItem] {
        switch subject {
        case .album(let album): album.tracks
        case .artist(let artist): artist.items
        case .track(let item): [item]
        }
    }

    /// Albums before artists before tracks, where they fit equally well.
    private var rank: Int {
        switch subject {
        case .album: 0
        case .artist: 1
        case .track: 2
        }
    }

    private var key: String {
        switch subject {
        case .album(let album): album.id.rawValue
        case .artist(let artist): artist.id
        case .track(let item): item.id.rawValue
        }
    }

    /// Returns `true` if it stands before another one; the order is the same on every machine.
    static func precedes(_ left: LibraryCandidate, _ right: LibraryCandidate) -> Bool {
        if left.score != right.score { return left.score > right.score }
        return (left.rank, left.name, left.key) < (right.rank, right.name, right.key)
    }
}
