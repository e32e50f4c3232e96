import EarshotMusic

/// An in-memory index of a library, searched by title, album and artist in any script and spelling.
///
/// Items may be added, changed and removed at any time; an answer is always about the items that are there by then. As a
/// value it may be copied and asked elsewhere while more is added here; ``LiveLibraryIndex`` does so.
public struct LibraryIndex: Sendable {
    private var table = MusicItemTable()
    private var titles = NameIndex()
    private var albumNames = NameIndex()
    private var artistNames = NameIndex()
    /// Exact keys of artists and of titles of albums, and the key of each name, by its number in the table.
    private var keys = TextPool()
    private var keyOfName: [Int32] = []
    /// Identities of albums; the album of each row, and the rows of each album and of each artist's key.
    private var albumKeys = TextPool()
    private var albumOfRow: [Int32] = []
    private var albumRows: [Int32] = []
    private var artistRows: [Int32] = []
    private var lists = LinkedLists()
    private var groups = AlbumGroups()
    /// The number of albums.
    public private(set) var albumCount = 0

    /// Creates an empty index.
    public init() {}

    /// Creates an index of items. Of several items with one identifier, the last is used.
    public init(_ items: some Sequence<MusicItem>) {
        add(items)
    }

    // MARK: - Changing

    /// Adds an item, or replaces the one with its identifier.
    public mutating func add(_ item: MusicItem) {
        if let row = table.row(item.id) {
            if table[row] == item { return }
            remove(item.id)
        }
        let row = table.insert(item)
        let name = table.trackName(row)
        if name >= 0 { titles.insert(name, in: table.names, for: row) }
        for (name, key, isFirst) in artists(of: row) {
            artistNames.insert(name, in: table.names, for: key)
            if isFirst { lists.insert(row, into: &artistRows, at: key) }
        }
        let album = table.album(row)
        guard album >= 0 else { return }
        if let id = item.albumID { return enter(row, AlbumKey(albumID: id)) }
        let group = key(of: album)
        let member = member(row)
        changeGroup(group) { $0.insert(member, into: group) }
        // A change of the division may have entered it.
        if albumOfRow[extending: row] < 0 { enter(row, albumKey(of: row, in: group)) }
    }

    /// Adds items, each as ``add(_:)-(MusicItem)`` does.
    public mutating func add(_ items: some Sequence<MusicItem>) {
        for item in items { add(item) }
    }

    /// Removes an item.
    ///
    /// - Returns: The item; `nil` if there was none.
    @discardableResult
    public mutating func remove(_ id: ItemID) -> MusicItem? {
        guard let row = table.row(id) else { return nil }
        let item = table[row]
        let name = table.trackName(row)
        if name >= 0 { titles.remove(name, for: row) }
        for (name, key, isFirst) in artists(of: row) {
            artistNames.remove(name, for: key)
            if isFirst { lists.remove(row, from: &artistRows, at: key) }
        }
        leave(row)
        if table.album(row) >= 0, table.albumID(row) < 0 {
            let group = key(of: table.album(row))
            let member = member(row)
            changeGroup(group) { $0.remove(member, from: group) }
        }
        table.remove(row)
        // What is gone leaves its texts behind: when they are the larger part, all is made anew.
        if table.deadCount > 1_024, table.deadCount > table.count {
            var fresh = LibraryIndex()
            for row in table.all { fresh.add(table[row]) }
            self = fresh
        }
        return item
    }

    private mutating func enter(_ row: Int32, _ key: AlbumKey) {
        let album = albumKeys.number(of: key.rawValue)
        albumOfRow[extending: row] = album
        if albumRows[extending: album] < 0 { albumCount += 1 }
        lists.insert(row, into: &albumRows, at: album)
        albumNames.insert(table.album(row), in: table.names, for: album)
    }

    private mutating func leave(_ row: Int32) {
        let album = albumOfRow[extending: row]
        guard album >= 0 else { return }
        albumOfRow[extending: row] = -1
        lists.remove(row, from: &albumRows, at: album)
        if albumRows[extending: album] < 0 { albumCount -= 1 }
        albumNames.remove(table.album(row), for: album)
    }

    /// Changes what is known of an album title, and moves the items that are of another album by that.
    private mutating func changeGroup(_ group: Int32, _ change: (inout AlbumGroups) -> Void) {
        let before = groups.division(group)
        change(&groups)
        guard before != groups.division(group) else { return }
        for row in groups.artistless(group) {
            leave(row)
            enter(row, albumKey(of: row, in: group))
        }
    }

    private mutating func member(_ row: Int32) -> AlbumGroups.Member {
        let (disc, number) = table.place(row)
        return AlbumGroups.Member(
            row: row,
            albumArtist: table.albumArtist(row) < 0 ? -1 : key(of: table.albumArtist(row)),
            artist: table.artist(row) < 0 ? -1 : key(of: table.artist(row)),
            disc: disc,
            number: number
        )
    }

    /// The album of a row that names it by its title.
    private mutating func albumKey(of row: Int32, in group: Int32) -> AlbumKey {
        let title = keys[group]
        let member = member(row)
        if member.albumArtist >= 0 { return AlbumKey(title: title, artist: keys[member.albumArtist]) }
        return switch groups.division(group) {
        case .joined(let artist): AlbumKey(title: title, artist: keys[artist])
        case .alone: AlbumKey(title: title, artist: nil)
        case .byArtist: AlbumKey(title: title, artist: member.artist < 0 ? "" : keys[member.artist])
        }
    }

    /// The number of the exact key of a name.
    private mutating func key(of name: Int32) -> Int32 {
        var key = keyOfName[extending: name]
        if key < 0 {
            key = keys.number(of: SearchText(table.names[name]).exact)
            keyOfName[extending: name] = key
        }
        return key
    }

    /// The artists' names of a row with their keys, and whether the key is not that of the one before.
    private mutating func artists(of row: Int32) -> [(name: Int32, key: Int32, isFirst: Bool)] {
        let (artist, albumArtist) = (table.artist(row), table.albumArtist(row))
        var found: [(name: Int32, key: Int32, isFirst: Bool)] = []
        if artist >= 0 { found.append((artist, key(of: artist), true)) }
        if albumArtist >= 0, albumArtist != artist {
            let key = key(of: albumArtist)
            found.append((albumArtist, key, found.first?.key != key))
        }
        return found
    }

    // MARK: - Reading

    /// The number of items.
    public var count: Int { table.count }

    /// Returns the item with an identifier; `nil` if there is none.
    public func item(_ id: ItemID) -> MusicItem? { table.row(id).map { table[$0] } }

    /// All items, ordered by their identifiers.
    public var items: [MusicItem] { table.all.map { table[$0] }.sorted { $0.id < $1.id } }

    /// All songs sorted by title, ignoring leading articles. Songs without a title come last.
    public var songs: [MusicItem] {
        Self.byTitle(table.all.map { table[$0] }.filter { $0.kind == .song })
    }

    /// All albums, sorted by title.
    public var albums: [LibraryAlbum] {
        albumRows.indices.compactMap { album(Int32($0)) }
            .map { (SortKey.key(for: $0.title), $0) }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }
            .map(\.1)
    }

    /// Returns an album with all its tracks in order; `nil` if no album has this key.
    public func album(_ key: AlbumKey) -> LibraryAlbum? { albumKeys.find(key.rawValue).flatMap { album($0) } }

    private func album(_ number: Int32) -> LibraryAlbum? {
        let rows = lists.values(from: albumRows[extending: number])
        guard !rows.isEmpty else { return nil }
        return LibraryAlbum(id: AlbumKey(rawValue: albumKeys[number]), tracks: rows.map { table[$0] })
    }

    /// Returns the key of the album that contains an item; `nil` if it is on no album.
    public func albumKey(of item: ItemID) -> AlbumKey? {
        guard let row = table.row(item), albumOfRow[extending: row] >= 0 else { return nil }
        return AlbumKey(rawValue: albumKeys[albumOfRow[extending: row]])
    }

    /// Returns an artist with all items; `nil` if no artist has this key.
    ///
    /// - Parameter key: ``LibraryArtist/id``.
    public func artist(_ key: String) -> LibraryArtist? { keys.find(key).flatMap { artist($0) } }

    private func artist(_ number: Int32) -> LibraryArtist? {
        let rows = lists.values(from: artistRows[extending: number])
        guard !rows.isEmpty else { return nil }
        let key = keys[number]
        var albums: [AlbumKey: [MusicItem]] = [:]
        var others: [MusicItem] = []
        for row in rows {
            let album = albumOfRow[extending: row]
            if album >= 0 {
                albums[AlbumKey(rawValue: albumKeys[album]), default: []].append(table[row])
            } else {
                others.append(table[row])
            }
        }
        let ordered = albums.sorted { $0.key < $1.key }.flatMap { $0.value.sorted(by: LibraryAlbum.precedes) }
        let items = ordered + Self.byTitle(others)
        let name = items.lazy.flatMap { [$0.artist, $0.albumArtist] }.compactMap(\.self)
            .first { SearchText($0).exact == key }
        return LibraryArtist(id: key, name: name ?? key, items: items)
    }

    /// Returns the number of items whose title passes a test. Items without a title do not pass.
    public func count(_ test: TitleTest) -> Int {
        table.all.reduce(0) { count, row in
            table.title(row) >= 0 && test.matches(table.names[table.title(row)]) ? count + 1 : count
        }
    }

    // MARK: - Finding

    /// The albums that a query may mean.
    func albums(for query: SearchQuery) -> [LibraryCandidate] {
        albumNames.matches(query).compactMap { number, match in
            album(number).map { LibraryCandidate(.album($0), match) }
        }
    }

    /// The artists that a query may mean.
    func artists(for query: SearchQuery) -> [LibraryCandidate] {
        artistNames.matches(query).compactMap { number, match in
            artist(number).map { LibraryCandidate(.artist($0), match) }
        }
    }

    /// The tracks that a query may mean.
    func tracks(for query: SearchQuery) -> [LibraryCandidate] {
        titles.matches(query).map { row, match in LibraryCandidate(.track(table[row]), match) }
    }

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
