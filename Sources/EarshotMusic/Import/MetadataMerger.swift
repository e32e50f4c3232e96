package import EarshotCore

/// Merges imported artists and albums with those of a store, for sources that describe them in part with each track.
///
/// A property in a change replaces the stored one; a property that is absent in the change stays. So each of many rows of one
/// album may add something, and none removes anything. A track replaces the stored track as a whole.
package struct MetadataMerger: Sendable {
    /// The store with the existing artists and albums.
    package let store: any MusicStore
    /// `true` if existing artists and albums keep their names: files often name two artists in
    /// one tag.
    package let keepsNames: Bool

    /// Creates a merger for a store.
    ///
    /// - Parameters:
    ///   - store: The store to write to.
    ///   - keepsNames: `true` if existing artists and albums keep their names.
    public init(into store: any MusicStore, keepsNames: Bool = false) {
        self.store = store
        self.keepsNames = keepsNames
    }

    /// Returns the changes merged with the store: artists, then albums, each once, then all others in order. Artists and
    /// albums that do not change are left out.
    ///
    /// - Throws: Errors of the store.
    package func filled(_ changes: [MusicChange]) async throws(EarshotError) -> [MusicChange] {
        var artists = Shelf<Artist>()
        var albums = Shelf<Album>()
        for case .artist(let artist) in changes {
            if !artists.knows(artist.id) { artists.add(try await store.artist(artist.id), as: artist.id, \.id) }
            artists.put(artists[artist.id].map { filled($0, with: artist) } ?? artist, as: artist.id)
        }
        for case .album(var album) in changes {
            album.credits = artists.moved(album.credits)
            if !albums.knows(album.id) { albums.add(try await store.album(album.id), as: album.id, \.id) }
            albums.put(albums[album.id].map { filled($0, with: album) } ?? album, as: album.id)
        }
        var rest: [MusicChange] = []
        for change in changes {
            switch change {
            case .artist, .album: break
            case .track(var track):
                track.credits = artists.moved(track.credits)
                if let id = track.place?.album {
                    track.place?.album = albums.moved(id)
                    // What says no more than the album is left to it.
                    if track.credits == albums[id]?.credits { track.credits = [] }
                }
                rest.append(.track(track))
            default: rest.append(change)
            }
        }
        return artists.changed.map { .artist($0) } + albums.changed.map { .album($0) } + rest
    }

    // MARK: - Filling

    private func filled(_ old: Artist, with new: Artist) -> Artist {
        var artist = old
        artist.name = filled(old.name, with: new.name)
        artist.sortName = new.sortName ?? old.sortName
        artist.origin = new.origin ?? old.origin
        artist.era = new.era ?? old.era
        artist.type = new.type ?? old.type
        artist.biography = Self.filled(old.biography, with: new.biography)
        artist.pictures = new.pictures + old.pictures.filter { !new.pictures.contains($0) }
        artist.links = Self.filled(old.links, with: new.links)
        artist.identifiers = old.identifiers.union(new.identifiers)
        artist.popularity = max(old.popularity, new.popularity)
        return artist
    }

    private func filled(_ old: Album, with new: Album) -> Album {
        var album = old
        album.title = filled(old.title, with: new.title)
        // A row that does not name the album's artist brings the track's: the first that was said stands.
        if old.credits.isEmpty { album.credits = new.credits }
        album.date = new.date ?? old.date
        for medium in new.media {
            if let index = album.media.firstIndex(where: { $0.position == medium.position }) {
                album.media[index].title = medium.title ?? album.media[index].title
                album.media[index].format = medium.format ?? album.media[index].format
                album.media[index].trackCount = medium.trackCount ?? album.media[index].trackCount
            } else {
                album.media.append(medium)
                album.media.sort { $0.position < $1.position }
            }
        }
        // Tracks may have other genres than the album.
        if old.genres.isEmpty { album.genres = new.genres }
        album.isCompilation = old.isCompilation || new.isCompilation
        album.review = Self.filled(old.review, with: new.review)
        album.pictures = old.pictures + new.pictures.filter { !old.pictures.contains($0) }
        album.links = Self.filled(old.links, with: new.links)
        album.identifiers = old.identifiers.union(new.identifiers)
        album.popularity = max(old.popularity, new.popularity)
        return album
    }

    private func filled(_ old: Name, with new: Name) -> Name {
        var name = old
        // Rows that differ in case and spaces only would otherwise rename everything again and again.
        if !keepsNames, !DerivedID.isSame(old.text, new.text) { name.text = new.text }
        name.translations.merge(new.translations) { $1 }
        name.reading = new.reading ?? old.reading
        name.alternates += new.alternates.filter { !old.alternates.contains($0) }
        return name
    }

    private static func filled(_ old: Paragraphs?, with new: Paragraphs?) -> Paragraphs? {
        guard var text = old, let new else { return new ?? old }
        text.byLanguage.merge(new.byLanguage) { $1 }
        text.attribution = new.attribution ?? text.attribution
        return text
    }

    /// A catalog has one link to something.
    private static func filled(_ old: [ExternalLink], with new: [ExternalLink]) -> [ExternalLink] {
        old.filter { link in !new.contains { $0.source == link.source } } + new
    }

    /// Things as the store has them and as they will be.
    private struct Shelf<Entity: Hashable> {
        private var stored: [EntityID<Entity>: Entity] = [:]
        private var current: [EntityID<Entity>: Entity] = [:]
        /// The targets of ids that were merged.
        private var targets: [EntityID<Entity>: EntityID<Entity>] = [:]
        private var order: [EntityID<Entity>] = []

        func knows(_ id: EntityID<Entity>) -> Bool { targets[id] != nil }

        mutating func add(_ entity: Entity?, as id: EntityID<Entity>, _ ownID: KeyPath<Entity, EntityID<Entity>>) {
            let target = entity?[keyPath: ownID] ?? id
            targets[id] = target
            guard current[target] == nil else { return }
            order.append(target)
            stored[target] = entity
            current[target] = entity
        }

        func moved(_ id: EntityID<Entity>) -> EntityID<Entity> { targets[id] ?? id }

        subscript(id: EntityID<Entity>) -> Entity? { current[moved(id)] }

        mutating func put(_ entity: Entity, as id: EntityID<Entity>) { current[moved(id)] = entity }

        /// The entities that differ from the store, in the order in which they were first named.
        var changed: [Entity] { order.compactMap { id in current[id].flatMap { $0 == stored[id] ? nil : $0 } } }

        func moved(_ credits: [ArtistCredit]) -> [ArtistCredit] where Entity == Artist {
            credits.map { credit in
                var credit = credit
                credit.artist = credit.artist.map { moved($0) }
                return credit
            }
        }
    }
}
