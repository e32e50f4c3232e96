extension PlayQueue {
    /// Plays an item of a library: in the current context if it contains the item, otherwise on its album. An item on no album plays
    /// among all songs, or alone if it is not a song.
    ///
    /// - Parameters:
    ///   - item: The identifier of the item.
    ///   - index: The library's index. If it does not contain the item, nothing changes.
    /// - Returns: The changes of the queue.
    @discardableResult
    public mutating func play(_ item: ItemID, in index: LibraryIndex) -> [QueueEvent] {
        play(item, otherwiseIn: Self.context(of: item, in: index))
    }

    /// Plays a candidate: an album or an artist from the beginning, a track within its album.
    ///
    /// - Parameters:
    ///   - candidate: The candidate.
    ///   - index: The library's index.
    /// - Returns: The changes of the queue.
    @discardableResult
    public mutating func play(_ candidate: LibraryCandidate, in index: LibraryIndex) -> [QueueEvent] {
        switch candidate.subject {
        case .album(let album): start(.album(album.id), album.tracks)
        case .artist(let artist): start(.artist(artist.id), artist.items)
        case .track(let item): play(item.id, in: index)
        }
    }

    private static func context(of item: ItemID, in index: LibraryIndex) -> (PlayContext, [MusicItem]) {
        if let key = index.albumKey(of: item), let album = index.album(key) { return (.album(key), album.tracks) }
        let songs = index.songs
        if songs.contains(where: { $0.id == item }) { return (.allSongs, songs) }
        // A podcast among songs would be a surprise.
        return (.playlist(item.rawValue), index.item(item).map { [$0] } ?? [])
    }
}
