import EarshotMetadata

/// What a library holds, found by titles, albums and artists in any script and spelling. In memory.
///
/// Items may be added, changed and removed at any time; an answer is always about the items that are there by then. As a
/// value it may be copied and asked elsewhere while more is added here; ``LiveLibraryIndex`` does so.
public struct LibraryIndex: Sendable {
    private var all: [ItemID: MusicItem] = [:]
    private(set) var titles = NameIndex<ItemID>()
    private(set) var albumNames = NameIndex<AlbumKey>()
    private(set) var artistNames = NameIndex<String>()
    private var albumItems: [AlbumKey: NameBearers] = [:]
    private var artistItems: [String: NameBearers] = [:]
    private var albumKeys: [ItemID: AlbumKey] = [:]
    private var groups: [String: AlbumGroup] = [:]

    /// An index without items.
    public init() {}

    /// An index of items; of several with one identifier the last counts.
    public init(_ items: some Sequence<MusicItem>) {
        add(items)
    }

    // MARK: - Changing

    /// Adds an item, or replaces the one with its identifier.
    public mutating func add(_ item: MusicItem) {
        guard all[item.id] != item else { return }
        remove(item.id)
        all[item.id] = item
        if let title = item.title { titles.insert(title, for: item.id) }
        for name in Self.artists(of: item) {
            let key = SearchText(name).exact
            if artistItems[key, default: NameBearers()].insert(item.id, name) { artistNames.insert(name, for: key) }
        }
        guard let album = item.album else { return }
        if let id = item.albumID { return enter(item, album, AlbumKey(catalogueID: id)) }
        let title = SearchText(album).exact
        changeGroup(title) { $0.insert(item) }
        // A change of the division may have entered it.
        guard albumKeys[item.id] == nil, let division = groups[title]?.division else { return }
        enter(item, album, AlbumGroup.key(of: item, title: title, division))
    }

    /// Adds items, each as ``add(_:)-(MusicItem)`` does.
    public mutating func add(_ items: some Sequence<MusicItem>) {
        for item in items { add(item) }
    }

    /// Removes an item.
    ///
    /// - Returns: The item; nothing where there was none.
    @discardableResult
    public mutating func remove(_ id: ItemID) -> MusicItem? {
        guard let item = all.removeValue(forKey: id) else { return nil }
        if let title = item.title { titles.remove(title, for: id) }
        for name in Self.artists(of: item) {
            let key = SearchText(name).exact
            if artistItems[key]?.remove(id, name) ?? false, artistItems[key]?.items.isEmpty ?? true {
                artistNames.remove(name, for: key)
            }
            if artistItems[key]?.items.isEmpty ?? false { artistItems[key] = nil }
        }
        leave(item)
        if let album = item.album, item.albumID == nil { changeGroup(SearchText(album).exact) { $0.remove(item) } }
        return item
    }

    private mutating func enter(_ item: MusicItem, _ album: String, _ key: AlbumKey) {
        albumKeys[item.id] = key
        if albumItems[key, default: NameBearers()].insert(item.id, album) { albumNames.insert(album, for: key) }
    }

    private mutating func leave(_ item: MusicItem) {
        guard let key = albumKeys.removeValue(forKey: item.id), let album = item.album else { return }
        if albumItems[key]?.remove(item.id, album) ?? false {
            albumNames.remove(album, for: key)
            // Another spelling of the same key may be left.
            if let names = albumItems[key]?.names { for name in names { albumNames.insert(name, for: key) } }
        }
        if albumItems[key]?.items.isEmpty ?? false { albumItems[key] = nil }
    }

    /// Changes the items of an album title, and moves those that are of another album by that.
    private mutating func changeGroup(_ title: String, _ change: (inout AlbumGroup) -> Void) {
        var group = groups[title] ?? AlbumGroup()
        let before = group.division
        change(&group)
        groups[title] = group.isEmpty ? nil : group
        let after = group.division
        guard before != after else { return }
        for item in group.artistless.compactMap({ all[$0] }) {
            guard let album = item.album else { continue }
            leave(item)
            enter(item, album, AlbumGroup.key(of: item, title: title, after))
        }
    }

    private static func artists(of item: MusicItem) -> Set<String> {
        Set([item.artist, item.albumArtist].compactMap(\.self))
    }

    // MARK: - Reading

    /// How many items there are.
    public var count: Int { all.count }
    /// How many albums there are.
    public var albumCount: Int { albumItems.count }

    /// The item of an identifier.
    public func item(_ id: ItemID) -> MusicItem? { all[id] }

    /// All items, ordered by their identifiers.
    public var items: [MusicItem] { all.values.sorted { $0.id < $1.id } }

    /// All songs in the order of their titles, articles at the beginning left out; those without a title come last.
    public var songs: [MusicItem] {
        Self.byTitle(all.values.filter { $0.kind == .song })
    }

    /// All albums in the order of their titles.
    public var albums: [LibraryAlbum] {
        albumItems.keys.compactMap(album)
            .map { (SortKey.key(for: $0.title), $0) }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }
            .map(\.1)
    }

    /// An album with all its tracks in order; nothing where there is none of that identity.
    public func album(_ key: AlbumKey) -> LibraryAlbum? {
        guard let items = albumItems[key]?.items else { return nil }
        return LibraryAlbum(id: key, tracks: items.compactMap { all[$0] })
    }

    /// The identity of the album that an item is of; nothing where it is of none.
    public func albumKey(of item: ItemID) -> AlbumKey? { albumKeys[item] }

    /// An artist with all items; nothing where there is none of that key.
    ///
    /// - Parameter key: ``LibraryArtist/id``.
    public func artist(_ key: String) -> LibraryArtist? {
        guard let ids = artistItems[key]?.items else { return nil }
        var albums: [AlbumKey: [MusicItem]] = [:]
        var others: [MusicItem] = []
        for item in ids.compactMap({ all[$0] }) {
            if let album = albumKeys[item.id] { albums[album, default: []].append(item) } else { others.append(item) }
        }
        let ordered = albums.sorted { $0.key < $1.key }.flatMap { $0.value.sorted(by: LibraryAlbum.precedes) }
        let items = ordered + Self.byTitle(others)
        let name = items.lazy.flatMap { [$0.artist, $0.albumArtist] }.compactMap(\.self)
            .first { SearchText($0).exact == key }
        return LibraryArtist(id: key, name: name ?? key, items: items)
    }

    /// How many items have a title that passes a test; one without a title does not.
    public func count(_ test: TitleTest) -> Int { test.count(in: all.values) }

    private static func byTitle(_ items: [MusicItem]) -> [MusicItem] {
        items.map { (item: $0, key: $0.title.map { SortKey.key(for: $0) }) }
            .sorted { left, right in
                if left.key == right.key { return left.item.id < right.item.id }
                guard let leftKey = left.key, let rightKey = right.key else { return left.key != nil }
                return leftKey < rightKey
            }
            .map(\.item)
    }
}
