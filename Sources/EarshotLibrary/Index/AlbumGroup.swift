import EarshotMetadata

/// The items of one album title that name their album by no identifier: they are of one album or of several.
struct AlbumGroup: Sendable {
    /// How the items without album artist are told apart.
    enum Division: Hashable {
        /// They are of the album of the one album artist that others of the title name.
        case joined(String)
        /// They are an album of their own.
        case alone
        /// They are of different albums, one for each artist: some have the same place by different artists, and there are
        /// few artists for that many items. An album of many artists has one for almost every item.
        case byArtist
    }

    /// The items without album artist.
    private(set) var artistless: Set<ItemID> = []
    /// How many items name each album artist, by its key.
    private var artists: [String: Int] = [:]
    /// How many items without album artist each artist performs.
    private var performers: [String: Int] = [:]
    /// How often each artist has a place on the album, of items without album artist.
    private var places: [Place: [String: Int]] = [:]
    /// How many places are taken by several artists.
    private var conflicts = 0

    private struct Place: Hashable {
        let disc: Int
        let number: Int
    }

    var isEmpty: Bool { artistless.isEmpty && artists.isEmpty }

    var division: Division {
        if artists.count == 1, let artist = artists.keys.first { return .joined(artist) }
        return conflicts > 0 && performers.count * 2 <= artistless.count ? .byArtist : .alone
    }

    mutating func insert(_ item: MusicItem) {
        if let artist = Self.albumArtist(item) {
            artists[artist, default: 0] += 1
            return
        }
        artistless.insert(item.id)
        guard let artist = Self.artist(item) else { return }
        performers[artist, default: 0] += 1
        guard let number = item.trackNumber else { return }
        let place = Place(disc: item.discNumber ?? 1, number: number)
        let before = places[place]?.count ?? 0
        places[place, default: [:]][artist, default: 0] += 1
        if before == 1, places[place]?.count == 2 { conflicts += 1 }
    }

    mutating func remove(_ item: MusicItem) {
        if let artist = Self.albumArtist(item) {
            guard let count = artists[artist] else { return }
            artists[artist] = count > 1 ? count - 1 : nil
            return
        }
        guard artistless.remove(item.id) != nil, let artist = Self.artist(item) else { return }
        performers[artist] = performers[artist].flatMap { $0 > 1 ? $0 - 1 : nil }
        guard let number = item.trackNumber else { return }
        let place = Place(disc: item.discNumber ?? 1, number: number)
        guard let count = places[place]?[artist] else { return }
        let before = places[place]?.count ?? 0
        places[place]?[artist] = count > 1 ? count - 1 : nil
        let after = places[place]?.count ?? 0
        if before == 2, after == 1 { conflicts -= 1 }
        if after == 0 { places[place] = nil }
    }

    /// The album of an item under a division.
    static func key(of item: MusicItem, title: String, _ division: Division) -> AlbumKey {
        if let artist = albumArtist(item) { return AlbumKey(title: title, artist: artist) }
        return switch division {
        case .joined(let artist): AlbumKey(title: title, artist: artist)
        case .alone: AlbumKey(title: title, artist: nil)
        case .byArtist: AlbumKey(title: title, artist: artist(item) ?? "")
        }
    }

    private static func albumArtist(_ item: MusicItem) -> String? { item.albumArtist.map { SearchText($0).exact } }

    private static func artist(_ item: MusicItem) -> String? { item.artist.map { SearchText($0).exact } }
}
