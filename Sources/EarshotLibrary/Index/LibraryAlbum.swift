/// An album of a library, with its tracks.
public struct LibraryAlbum: Hashable, Sendable, Identifiable {
    /// The album's identity.
    public let id: AlbumKey
    /// The title that most of its tracks have; of equally frequent titles the one that comes first.
    public let title: String
    /// The artist, from its tracks; `nil` if none states one.
    public let artist: String?
    /// All its tracks: by disc, number and title. Those without a number come last on their disc, and those without a disc
    /// are on the first.
    public let tracks: [MusicItem]

    init(id: AlbumKey, tracks: [MusicItem]) {
        self.id = id
        self.tracks = tracks.sorted(by: Self.precedes)
        title = Self.commonest(self.tracks.compactMap(\.album)) ?? id.rawValue
        artist = Self.commonest(self.tracks.compactMap(\.albumArtist))
    }

    private static func commonest(_ texts: [String]) -> String? {
        var counts: [String: Int] = [:]
        for text in texts { counts[text, default: 0] += 1 }
        let most = counts.values.max()
        return texts.first { counts[$0] == most }
    }

    /// The order of tracks, which is the same in whatever order they came.
    static func precedes(_ left: MusicItem, _ right: MusicItem) -> Bool {
        let (leftDisc, rightDisc) = (left.discNumber ?? 1, right.discNumber ?? 1)
        if leftDisc != rightDisc { return leftDisc < rightDisc }
        let (leftNumber, rightNumber) = (left.trackNumber ?? .max, right.trackNumber ?? .max)
        if leftNumber != rightNumber { return leftNumber < rightNumber }
        let (leftTitle, rightTitle) = (left.title ?? "", right.title ?? "")
        if leftTitle != rightTitle { return leftTitle < rightTitle }
        return left.id < right.id
    }
}
