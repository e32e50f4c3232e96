import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition

/// Finds the albums that files may be of: by what they sound like, by identifiers, by titles of albums, by titles of tracks.
struct AlbumSearch: Sendable {
    let music: any MusicStore
    let limits: AlbumDecider.Limits

    /// Albums with their tracks, the likeliest first.
    func albums(for files: [FileEvidence]) async throws(EarshotError) -> [AlbumCandidate] {
        var votes = Votes()
        for file in files {
            try await addHeard(file, &votes)
            try await addIdentified(file, &votes)
        }
        try await addByAlbum(files, &votes)
        let unknown = files.filter { !votes.isKnown($0) }
        try await addByTitle(unknown, &votes)
        return try await candidates(votes, files, beside: [])
    }

    /// Albums that have tracks of some titles, but those that are there already.
    func albums(
        byTitlesOf files: [FileEvidence],
        beside known: [AlbumCandidate]
    ) async throws(EarshotError) -> [AlbumCandidate] {
        guard !files.isEmpty else { return [] }
        var votes = Votes()
        try await addByTitle(files, &votes)
        return try await candidates(votes, files, beside: known)
    }

    private func candidates(
        _ votes: Votes,
        _ files: [FileEvidence],
        beside known: [AlbumCandidate]
    ) async throws(EarshotError) -> [AlbumCandidate] {
        var candidates: [AlbumCandidate] = []
        var seen = Set(known.map(\.album.id))
        var room = limits.tracks - known.reduce(0) { $0 + $1.slots.count }
        for id in votes.best(limits.albums, forEachOf: files) where !seen.contains(id) {
            guard let album = try await music.album(id), seen.insert(album.id).inserted else { continue }
            let tracks = try await music.tracks(of: album.id)
            guard !tracks.isEmpty, tracks.count <= room else { continue }
            candidates.append(AlbumCandidate(album, tracks: tracks))
            room -= tracks.count
        }
        return candidates
    }

    /// Votes for albums: of each file the best that it says of one.
    private struct Votes {
        private var byFile: [EntityID<Album>: [String: Double]] = [:]

        mutating func add(_ album: EntityID<Album>?, by file: FileEvidence, _ weight: Double) {
            guard let album else { return }
            var weights = byFile[album] ?? [:]
            weights[file.attributes.id] = max(weights[file.attributes.id] ?? 0, weight)
            byFile[album] = weights
        }

        /// The albums with the most votes, and of each file that votes for none of these the one that it says most of.
        func best(_ count: Int, forEachOf files: [FileEvidence]) -> [EntityID<Album>] {
            var sums: [(id: EntityID<Album>, votes: Double)] = []
            for (id, weights) in byFile { sums.append((id, weights.values.reduce(0, +))) }
            sums.sort { $0.votes != $1.votes ? $0.votes > $1.votes : $0.id < $1.id }
            var best = sums.prefix(count).map(\.id)
            var favorites: [String: (id: EntityID<Album>, vote: Double)] = [:]
            for (id, _) in sums {
                for (file, vote) in byFile[id] ?? [:] where vote > favorites[file]?.vote ?? 0 {
                    favorites[file] = (id, vote)
                }
            }
            var seen = Set(best)
            for file in files {
                guard let favorite = favorites[file.attributes.id], seen.insert(favorite.id).inserted else {
                    continue
                }
                best.append(favorite.id)
            }
            return best
        }

        /// Returns `true` if more than words of a folder or of an album led to an album of a file.
        func isKnown(_ file: FileEvidence) -> Bool {
            byFile.values.contains { $0[file.attributes.id] ?? 0 >= Votes.known }
        }

        static let known = 0.8
    }

    private func addHeard(_ file: FileEvidence, _ votes: inout Votes) async throws(EarshotError) {
        for (id, confidence) in file.heard {
            votes.add(try await music.track(id)?.place?.album, by: file, 3 * confidence)
        }
    }

    private func addIdentified(_ file: FileEvidence, _ votes: inout Votes) async throws(EarshotError) {
        let attributes = file.attributes
        if let id = attributes.albumID, let album = try await music.album(id) { votes.add(album.id, by: file, 3) }
        if let id = attributes.trackID { votes.add(try await music.track(id)?.place?.album, by: file, 3) }
        for identifier in attributes.identifiers.sorted(by: { $0.description < $1.description }) {
            switch identifier.scheme {
            case .musicBrainzRecording, .musicBrainzTrack, .isrc, .acoustID:
                for track in try await music.tracks(with: identifier) { votes.add(track.place?.album, by: file, 3) }
            case .musicBrainzRelease, .barcode, .discogsRelease:
                for album in try await music.albums(with: identifier) { votes.add(album.id, by: file, 3) }
            case .musicBrainzReleaseGroup, .discogsMaster:
                for album in try await music.albums(with: identifier) { votes.add(album.id, by: file, 2) }
            case .musicBrainzArtist, .musicBrainzWork, .iswc, .isni, .wikidata, .discogsArtist: break
            }
        }
    }

    /// Searches for each album that tags or folders name, once.
    private func addByAlbum(_ files: [FileEvidence], _ votes: inout Votes) async throws(EarshotError) {
        struct Named: Hashable {
            var artist: String?
            var album: String
        }
        var named: [Named: [FileEvidence]] = [:]
        for file in files {
            if let album = file.attributes.album {
                let artist =
                    file.attributes.albumArtist ?? (file.attributes.isCompilation ? nil : file.attributes.artist)
                named[Named(artist: artist, album: album), default: []].append(file)
            }
            for album in file.folder.albums.prefix(2) {
                for artist in file.folder.artists.prefix(2) {
                    named[Named(artist: artist, album: album), default: []].append(file)
                }
                named[Named(artist: nil, album: album), default: []].append(file)
            }
        }
        // The most frequent first; a folder of singles names an album each.
        let ordered = named.sorted {
            ($0.value.count, $1.key.album, $1.key.artist ?? "") > ($1.value.count, $0.key.album, $0.key.artist ?? "")
        }
        for (name, files) in ordered.prefix(limits.titleSearches) {
            let artists = name.artist == nil ? [nil] : [name.artist, nil]
            search: for artist in artists {
                for album in Self.spellings(of: name.album) {
                    let hits = try await music.search(MusicQuery(artist: artist, album: album, limit: 10))
                    for case .album(let id) in hits.map(\.entity) {
                        for file in files { votes.add(id, by: file, artist == nil ? 0.6 : 1) }
                    }
                    if !hits.isEmpty { break search }
                }
            }
        }
    }

    /// Searches for files by their titles.
    private func addByTitle(_ files: [FileEvidence], _ votes: inout Votes) async throws(EarshotError) {
        var searches = 0
        for file in files {
            var queries: [MusicQuery] = []
            if let title = file.attributes.title {
                let spellings = Self.spellings(of: title)
                if let artist = file.attributes.artist ?? file.attributes.albumArtist {
                    queries += spellings.map { MusicQuery(artist: artist, track: $0, limit: 20) }
                }
                queries += spellings.map { MusicQuery(track: $0, limit: 20) }
            }
            if let name = file.attributes.path.last {
                for reading in FileNameParser.readings(of: name).prefix(3) {
                    let artist = reading.artist ?? file.folder.artists.first
                    if let artist { queries.append(MusicQuery(artist: artist, track: reading.title, limit: 20)) }
                    if reading.artist == nil { queries.append(MusicQuery(track: reading.title, limit: 20)) }
                }
            }
            for query in queries.prefix(limits.searchesOfFile) {
                guard searches < limits.titleSearches else { return }
                searches += 1
                let hits = try await music.search(query)
                for case .track(let id) in hits.map(\.entity) {
                    let weight = query.artist == nil ? Votes.known / 2 : Votes.known
                    votes.add(try await music.track(id)?.place?.album, by: file, weight)
                }
                if votes.isKnown(file) { break }
            }
        }
    }

    /// A title, and the same without what was added to it: "(2011 Remaster)", "[Deluxe Edition]".
    private static func spellings(of title: String) -> [String] {
        guard let key = TextKey(title), key.bare != key.folded else { return [title] }
        return [title, key.bare]
    }
}
